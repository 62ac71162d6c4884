"""The camera's commands: enrol, recognise, calibrate, print."""

import json
import time
from pathlib import Path

import click

DATA = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("data"),
    show_default=True,
    help="The data folder.",
)


@click.command()
@click.argument("deck")
@click.option(
    "--images",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder with a picture of each card; the file's name is the card's id, back*.jpg its back.",
)
@click.option("--add", is_flag=True, help="Add these looks to the deck instead of starting it anew.")
@DATA
def enrol(deck: str, folder: Path, add: bool, data: Path) -> None:
    """Learn what the cards of DECK look like, from one picture of each."""
    from vision.enrol import enrol_folder, gallery_path
    from vision.gallery import Gallery

    path = gallery_path(data, deck)
    found = enrol_folder(deck, folder)
    gallery = Gallery.load(path).adding(found.gallery.looks) if add else found.gallery
    gallery.save(path)
    for warning in found.warnings:
        click.echo(f"warning: {warning}", err=True)
    backs = sum(look.back for look in gallery.looks)
    click.echo(f"{len(gallery.cards)} cards ({len(gallery.looks)} looks, {backs} of backs) enrolled in {path}.")


@click.command()
@click.option("--deck", required=True, help="The enrolled deck.")
@click.option("--crops", is_flag=True, help="Each file is one cut-out card.")
@click.option("--force", is_flag=True, help="Name the best guess even when it is not sure.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@DATA
def recognise(deck: str, crops: bool, force: bool, as_json: bool, files: tuple[Path, ...], data: Path) -> None:
    """Name the cards in pictures; null (or "not sure") where it would have to guess."""
    from vision.enrol import gallery_path
    from vision.gallery import Gallery
    from vision.photo import load, read_crop, read_photo
    from vision.recognise import Recogniser

    recogniser = Recogniser(Gallery.load(gallery_path(data, deck)))
    for path in files:
        image = load(path)
        start = time.perf_counter()
        readings = [read_crop(recogniser, image)] if crops else read_photo(recogniser, image)
        spent = 1000 * (time.perf_counter() - start)
        cards = [
            {
                "card": reading.best if force else reading.card,
                "rotation": round(reading.rotation, 1),
                "confidence": round(reading.confidence, 4),
                "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in reading.corners],
                "guesses": list(reading.guesses[:3]),
            }
            for reading in readings
        ]
        if as_json:
            click.echo(json.dumps({"file": str(path), "cards": cards, "ms": round(spent, 1)}))
        else:
            click.echo(f"{path}: {len(cards)} card{'s' * (len(cards) != 1)} in {spent:.0f} ms")
            for card in cards:
                name = card["card"] or f"not sure ({' or '.join(map(str, card['guesses'][:2]))})"  # type: ignore[index]
                click.echo(f"  {name}, turned {card['rotation']} degrees, confidence {card['confidence']}")
