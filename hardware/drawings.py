"""Write the pictures of the build guide: `python -m hardware.drawings`."""

from pathlib import Path

from hardware.stand import cut_sheet
from hardware.wiring import panel_picture, timer_picture

FOLDER = Path(__file__).parent / "pictures"
PICTURES = {
    "panel-wiring.svg": panel_picture,
    "timer-wiring.svg": timer_picture,
    "stand-cut-sheet.svg": cut_sheet,
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw())
        print(FOLDER.name + "/" + name)


if __name__ == "__main__":
    main()
