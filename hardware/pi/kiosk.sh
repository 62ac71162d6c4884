#!/bin/sh
# The kiosk itself: one browser, full screen, that forgets everything when it ends.
set -eu
browser=$(command -v chromium || command -v chromium-browser)
profile=$(mktemp -d)
exec cage -s -- "$browser" --kiosk --no-first-run --password-store=basic --noerrdialogs --disable-infobars \
  --disable-background-networking --disable-component-update --disable-sync --ozone-platform=wayland \
  --user-data-dir="$profile" "$(cat /run/shinpan-kiosk/address)"
