#!/bin/sh
# Run as root before the kiosk: write down where the table's own screen logs in, for the kiosk's user alone.
set -eu
current=/opt/shinpan/current
"$current/venv/bin/python" - >/run/shinpan-kiosk/address <<'PYTHON'
import json, time, tomllib, urllib.request

with open("/etc/shinpan/shinpan.toml", "rb") as file:
    port = tomllib.load(file).get("port", 8080)
for _ in range(600):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2)
        break
    except urllib.error.HTTPError:
        break
    except OSError:
        time.sleep(1)
with open("/var/lib/shinpan/logins.json", "rb") as file:
    print(f"http://localhost:{port}/screen#{json.load(file)['screen']}")
PYTHON
chown shinpan-kiosk /run/shinpan-kiosk/address
chmod 0400 /run/shinpan-kiosk/address
