#!/bin/bash
# Puts Shinpan on this machine, or mends it: sudo ./install.sh. Run it again whenever something is amiss.
# From an unpacked release file or from a checkout. docs/installing.md tells the rest; --help lists the options.
set -euo pipefail

readonly PACKAGES="python3 python3-venv ca-certificates"
readonly PI_PACKAGES="python3-picamera2 python3-lgpio"  # only in Raspberry Pi OS
readonly KIOSK_PACKAGES="cage chromium"
readonly GROUPS_WANTED="video dialout gpio i2c render plugdev"
readonly UNITS="shinpan.service shinpan-undo-update.service shinpan-kiosk.service"
readonly SPACE_MB=900
readonly STEPS=7

here=$(cd "$(dirname "$0")" && pwd)
action=install dry='' offline='' kiosk='' root='' start=yes step=0

main() {
  options "$@"
  opt=$root/opt/shinpan etc=$root/etc/shinpan data=$root/var/lib/shinpan units=$root/etc/systemd/system
  case $action in
    uninstall) be_root; uninstall ;;
    stage) be_root; read_source; put_program; [ -n "$dry" ] || printf '%s\n' "$placed" >"$here/staged" ;;
    activate) be_root; read_source; activate "$here" ;;
    install)
      be_root
      progress "This machine"; look_at_machine; read_source
      progress "Debian packages"; put_packages
      progress "The service's user and folders"; put_user
      progress "The program, version $version"; put_program
      progress "Settings"; put_settings
      progress "Units and rules"; activate "$opt/versions/$placed"
      progress "Start"; start_service
      farewell ;;
  esac
}

help() {
  cat <<'TEXT'
sudo ./install.sh [--dry-run] [--offline DIR] [--kiosk | --no-kiosk] [--no-start]
sudo ./install.sh --uninstall [--dry-run]

  --dry-run      say what would be done, and do nothing
  --offline DIR  take the Python packages from this folder and nothing from the network
  --kiosk        show the lobby on this machine's own screen; --no-kiosk: no longer
  --no-start     do not start the service
  --uninstall    take the program away; matches, cards and settings stay
  --root DIR     work below this folder instead of /, without packages, users and services (for tests)
  --stage        put this version beside the one that runs; used by `shinpan update`
  --activate     switch to the version that this file lies in; used by `shinpan update`
TEXT
}

options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --dry-run) dry=yes ;;
      --offline) offline=$(folder "${2-}"); shift ;;
      --kiosk) kiosk=yes ;;
      --no-kiosk) kiosk=no ;;
      --no-start) start='' ;;
      --uninstall) action=uninstall ;;
      --stage) action=stage ;;
      --activate) action=activate ;;
      --root) mkdir -p "${2:?--root needs a folder}"; root=$(folder "$2"); shift ;;
      -h | --help) help; exit 0 ;;
      *) fail "There is no option $1." "Run ./install.sh --help." ;;
    esac
    shift
  done
}

folder() {
  [ -d "$1" ] || fail "There is no folder ${1:-after the option}." "Give one that exists, for example --offline wheels."
  (cd "$1" && pwd)
}

# --- talking ------------------------------------------------------------------------------------------------------

progress() { step=$((step + 1)); printf '[%d/%d] %s\n' "$step" "$STEPS" "$1"; }
# One line that changes, for people who watch; a log gets only results.
under_way() { [ ! -t 1 ] || printf '\r      %-66.66s\r' "$1"; }
say() { printf '      %s\n' "$*"; }

fail() {
  printf '\ninstall.sh: %s\nWhat to do: %s\n' "$1" "$2" >&2
  exit 1
}

# Runs a command, or says that it would be run.
run() {
  if [ -n "$dry" ]; then say "would run: $*"; else "$@"; fi
}

# Runs a command whose output is of interest only when it fails; the last argument says what to do then.
quietly() {
  local advice=${*: -1} log
  set -- "${@:1:$#-1}"
  if [ -n "$dry" ]; then say "would run: $*"; return; fi
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    fail "This failed: $*" "$advice"
  fi
  rm -f "$log"
}

be_root() {
  [ -n "$root" ] || [ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail "This has to be done as root." "Run: sudo $0"
}

systemd_runs() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

# --- 1: what is here ----------------------------------------------------------------------------------------------

look_at_machine() {
  local word free
  [ "$(uname -s)" = Linux ] || fail "This is not Linux." "Install Shinpan on a Raspberry Pi or another Debian machine."
  word=$(getconf LONG_BIT)
  [ "$word" = 64 ] || fail "This system has $word bits; OpenCV and others come for 64 bits only." \
    "Write the 64-bit Raspberry Pi OS to the card and begin again."
  case $(uname -m) in
    aarch64 | x86_64) ;;
    *) fail "There are no packages for a $(uname -m) processor." "Use a Raspberry Pi 4 or 5, or a PC." ;;
  esac
  [ -n "$root" ] || command -v apt-get >/dev/null || fail "There is no apt-get here." "Use Raspberry Pi OS or Debian, 12 or newer."
  if command -v python3 >/dev/null && ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    fail "$(python3 -V) is too old; 3.11 is needed." "Upgrade to Raspberry Pi OS or Debian 12 or newer."
  fi
  free=$(df -Pm "${root:-/}" | awk 'NR == 2 { print $4 }')
  [ "$free" -ge "$SPACE_MB" ] || fail "Only $free MB are free; $SPACE_MB are needed." "Make room: sudo apt-get clean, or a larger card."
  say "$(uname -m), $free MB free, $(board)"
  if [ -e /sys/fs/cgroup/cgroup.controllers ] && ! grep -qw memory /sys/fs/cgroup/cgroup.controllers; then
    say "Memory is not counted here, so its limit does not hold: add cgroup_enable=memory to /boot/firmware/cmdline.txt."
  fi
}

board() { tr -d '\0' 2>/dev/null </proc/device-tree/model || echo "not a Raspberry Pi"; }
is_pi() { case $(board) in Raspberry*) return 0 ;; *) return 1 ;; esac; }

# Where the program comes from: an unpacked release, a version that is in place, or a checkout.
read_source() {
  if [ -f "$here/release.json" ]; then
    kind=release
    version=$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' "$here/release.json")
    system=$here/system
  elif [ -f "$here/pyproject.toml" ]; then
    kind=checkout
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/pyproject.toml")+$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo local)
    system=$here/hardware/pi
  else
    fail "This folder holds neither a release nor a checkout." "Unpack the release file and run the install.sh in it."
  fi
  case $version in
    '' | *[!A-Za-z0-9.+_-]*) fail "The version of this release cannot be read." "Download the release file again." ;;
  esac
  if [ "$kind" = release ] && [ -f "$here/MANIFEST" ] && ! (cd "$here" && sha256sum --check --quiet --strict MANIFEST); then
    fail "A file of this release is not what it was when it was made." "Download the release file again."
  fi
}

# --- 2: packages --------------------------------------------------------------------------------------------------

put_packages() {
  local wanted=$PACKAGES missing=''
  [ -z "$root" ] || { say "left alone below $root"; return; }
  if is_pi; then wanted="$wanted $PI_PACKAGES"; fi
  if [ "$kiosk" = yes ]; then wanted="$wanted $KIOSK_PACKAGES"; fi
  for package in $wanted; do
    installed "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || { say "all there"; return; }
  say "missing:$missing"
  if [ -n "$offline" ]; then
    say "they are looked for among what apt already has, because of --offline"
  else
    run apt-get update -qq || say "apt could not look for news; what it knows already is tried."
  fi
  # Word splitting is meant: these are several packages.
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive quietly apt-get install -y -qq --no-install-recommends $missing \
    "Connect this machine to the internet, or install these by hand, and run install.sh again:$missing"
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# --- 3: user and folders ------------------------------------------------------------------------------------------

put_user() {
  local groups=''
  if [ -z "$root" ]; then
    for group in $GROUPS_WANTED; do
      if getent group "$group" >/dev/null; then groups="$groups,$group"; else say "there is no group $group here"; fi
    done
    user shinpan "$data" "${groups#,}"
    [ "$kiosk" != yes ] || user shinpan-kiosk /var/lib/shinpan-kiosk video,render,input
  fi
  run install -d -m 0755 "$opt" "$opt/versions"
  own_folder 0750 "$data"
  own_folder 0750 "$etc"
}

user() {
  if ! getent passwd "$1" >/dev/null; then
    run useradd --system --user-group --home-dir "$2" --no-create-home --shell /usr/sbin/nologin --comment Shinpan "$1"
  fi
  for group in ${3//,/ }; do
    if getent group "$group" >/dev/null; then run usermod -aG "$group" "$1"; fi
  done
  say "user $1: ${3:-no further groups}"
}

own_folder() {
  run install -d -m "$1" "$2"
  [ -n "$root" ] || run chown shinpan:shinpan "$2"
}

# --- 4: the program -----------------------------------------------------------------------------------------------

# Sets `placed`, the name of the folder below versions/. What is whole already is left alone; anything else is made anew
# beside it, because a service may be running from there.
put_program() {
  local print number=1
  print=$(fingerprint)
  placed=$version
  while [ -e "$opt/versions/$placed" ]; do
    if [ "$(cat "$opt/versions/$placed/ready" 2>/dev/null)" = "$print" ] && works "$opt/versions/$placed/venv"; then
      say "in place already: $opt/versions/$placed"
      return
    fi
    number=$((number + 1))
    placed=$version.r$number
  done
  if [ -n "$dry" ]; then say "would make $opt/versions/$placed"; return; fi
  build "$opt/versions/$placed" || exit 1
  printf '%s\n' "$print" >"$opt/versions/$placed/ready"
  say "made $opt/versions/$placed"
}

fingerprint() {
  (cd "$here" && if [ "$kind" = release ]; then cat release.json requirements.txt ./*.whl; else tracked; fi) | sha256sum | cut -d' ' -f1
}

tracked() {
  find companion firmware_interface hardware vision web requirements*.txt pyproject.toml -type f \
    -not -path '*/node_modules/*' -not -name '*.pyc' -not -name '*.mo' -print0 | sort -z | xargs -0 cat
}

works() { "$1/bin/python" -c 'import cv2, cryptography, flask, fpdf, msgspec, serial, uvicorn, zeroconf' 2>/dev/null && "$1/bin/shinpan" --version >/dev/null 2>&1; }

build() {
  local folder=$1 venv=$1/venv pinned wheels='' option=''
  trap 'rm -rf "$folder"; trap - EXIT' EXIT
  install -d -m 0755 "$folder" "$folder/system"
  if [ -n "$offline" ]; then wheels=$offline; elif [ -d "$here/wheels" ]; then wheels=$here/wheels; fi
  # The system's picamera2 and lgpio, where there are any: neither comes from the index for every Python.
  if python3 -c 'import importlib.util as u, sys; sys.exit(not any(map(u.find_spec, ("picamera2", "lgpio"))))'; then
    option=--system-site-packages
    say "with this system's picamera2 and lgpio"
  fi
  # shellcheck disable=SC2086
  quietly python3 -m venv $option "$venv" "Install python3-venv: sudo apt-get install python3-venv"
  if [ "$kind" = release ]; then pinned=$here/requirements.txt; else pinned=$here/requirements-print.txt; fi
  pip_install "$venv" "$wheels" "$pinned"
  if [ "$kind" = release ]; then
    quietly "$venv/bin/pip" install --no-index --no-deps --disable-pip-version-check "$here"/shinpan-*.whl "Download the release file again."
  else
    from_checkout "$venv" "$wheels"
  fi
  "$venv/bin/pip" uninstall -q -y setuptools >/dev/null 2>&1 || true
  works "$venv" || { "$venv/bin/shinpan" --version >&2; fail "The program was installed but does not start." "Run install.sh again; if that does not help, report what is printed above."; }
  if [ -n "$option" ]; then check_camera "$venv"; fi
  cp "$system"/* "$folder/system/"
  install -m 0755 "$here/install.sh" "$folder/install.sh"
  printf '{"version": "%s"}\n' "$version" >"$folder/release.json"
  if [ -d "$here/keys" ]; then install -d "$folder/keys"; cp "$here/keys"/* "$folder/keys/"; fi
  trap - EXIT
}

pip_install() {
  local venv=$1 wheels=$2 pinned=$3 source='' log total count=0
  if [ -n "$wheels" ]; then source="--no-index --find-links $wheels"; fi
  total=$(grep -c == "$pinned")
  log=$(mktemp)
  # shellcheck disable=SC2086
  "$venv/bin/pip" install --ignore-installed --require-hashes --no-deps --disable-pip-version-check --progress-bar off \
    $source -r "$pinned" 2>&1 | tee "$log" | while read -r word rest; do
    case $word in
      Collecting | Processing) count=$((count + 1)); under_way "package $count of $total: ${rest##*/}" ;;
      Installing) under_way "unpacking" ;;
    esac
  done || { under_way ""; tail -n 8 "$log" >&2; rm -f "$log"; no_packages "$wheels"; }
  under_way ""
  say "$(grep -cE '^(Collecting|Processing) ' "$log" || true) packages, each as its hash says"
  rm -f "$log"
}

no_packages() {
  if [ -n "$1" ]; then
    fail "A Python package is missing in $1, or not the one whose hash is pinned." \
      "Make the folder anew for this Python ($(python3 -V), $(uname -m)): make wheels, or install without --offline."
  fi
  fail "The Python packages could not be had." "Look whether this machine is on the internet and run install.sh again; nothing was changed."
}

# What builds the package (setuptools, Babel) is not needed to run it and does not stay.
from_checkout() {
  local tools copy source=''
  tools=$(mktemp -d) copy=$(mktemp -d)
  if [ -n "$2" ]; then source="--no-index --find-links $2"; fi
  # shellcheck disable=SC2086
  quietly "$1/bin/pip" install $source --require-hashes --disable-pip-version-check --target "$tools" -r "$here/requirements-build.txt" \
    "Look whether this machine is on the internet and run install.sh again."
  (cd "$here" && cp -r pyproject.toml README.md LICENSE companion firmware_interface hardware vision "$copy/" && mkdir "$copy/web" \
    && find web -mindepth 1 -maxdepth 1 -not -name node_modules -exec cp -r {} "$copy/web/" \;)
  PYTHONPATH=$tools quietly "$1/bin/pip" install --no-deps --no-build-isolation --disable-pip-version-check "$copy" \
    "The checkout cannot be built; get a clean one, or use a release file."
  rm -rf "$tools" "$copy"
}

check_camera() {
  if python3 -c 'import picamera2' 2>/dev/null && ! "$1/bin/python" -c 'import picamera2' 2>/dev/null; then
    say "picamera2 does not load beside our numpy: use a USB camera, or Raspberry Pi OS based on Debian 13."
  fi
}

# --- 5: settings --------------------------------------------------------------------------------------------------

put_settings() {
  local file=$etc/shinpan.toml
  if [ -e "$file" ]; then
    say "kept: $file"
  elif [ -n "$dry" ]; then
    say "would write $file"
  else
    settings >"$file.new" && mv "$file.new" "$file"
    chmod 0640 "$file"
    [ -n "$root" ] || chown shinpan:shinpan "$file"
    say "written: $file"
  fi
}

# The commented file with every setting, as the program itself explains them.
settings() {
  "$opt/versions/$placed/venv/bin/shinpan" config example --set port=80 2>/dev/null || cat "$system/shinpan.toml"
}

# --- 6: units, rules, and the switch ------------------------------------------------------------------------------

# Everything of a version that lies outside its folder comes from its folder, so that going back is the same as going on.
activate() {
  local version_folder=$1 name changed='' unit
  name=$(basename "$version_folder")
  run install -d "$units" "$root/etc/udev/rules.d" "$root/etc/systemd/journald.conf.d" "$root/usr/local/bin"
  for unit in $UNITS; do
    if ! cmp -s "$version_folder/system/$unit" "$units/$unit"; then
      changed=yes
      run install -m 0644 "$version_folder/system/$unit" "$units/$unit"
    fi
  done
  run install -m 0644 "$version_folder/system/70-shinpan-panels.rules" "$root/etc/udev/rules.d/"
  run install -m 0644 "$version_folder/system/journald.conf" "$root/etc/systemd/journald.conf.d/shinpan.conf"
  if [ -d "$version_folder/keys" ] && [ ! -d "$opt/keys" ]; then run cp -r "$version_folder/keys" "$opt/keys"; fi
  switch "$name"
  run ln -sfn /opt/shinpan/current/venv/bin/shinpan "$root/usr/local/bin/shinpan"
  if systemd_runs; then
    [ -z "$changed" ] || run systemctl daemon-reload
    if command -v udevadm >/dev/null; then run udevadm control --reload 2>/dev/null || true; fi
  fi
  say "version in use: $name"
}

# `current` never points nowhere: the new link takes the old one's name in one step.
switch() {
  local before
  before=$(readlink "$opt/current" 2>/dev/null || true)
  [ "$before" != "versions/$1" ] || return 0
  if [ -n "$before" ] && [ -d "$opt/$before" ]; then
    run ln -sfn "$before" "$opt/previous.new" && run mv -T "$opt/previous.new" "$opt/previous"
  fi
  run ln -sfn "versions/$1" "$opt/current.new" && run mv -T "$opt/current.new" "$opt/current"
  [ -n "$dry" ] || sync -f "$opt"
}

# --- 7: start -----------------------------------------------------------------------------------------------------

start_service() {
  [ -z "$root" ] || { say "left alone below $root"; return; }
  quietly systemctl enable shinpan.service shinpan-undo-update.service "Look at the units in /etc/systemd/system and run install.sh again."
  case $kiosk in
    yes) quietly systemctl enable shinpan-kiosk.service "Look at /etc/systemd/system/shinpan-kiosk.service and run install.sh again." ;;
    no) systemctl disable -q shinpan-kiosk.service 2>/dev/null || true ;;
  esac
  if ! systemd_runs; then say "systemd does not run here: it starts with the machine"; return; fi
  [ -n "$start" ] || { say "not started, as asked"; return; }
  run systemctl restart systemd-journald || true
  quietly systemctl restart shinpan.service "See why with: journalctl -u shinpan -n 50"
  [ "$kiosk" != yes ] || run systemctl restart --no-block shinpan-kiosk.service
  [ -n "$dry" ] || say "$(systemctl show -P StatusText shinpan.service)"
}

farewell() {
  local name=shinpan.local
  [ -z "$dry" ] || { printf '\nNothing was changed.\n'; return; }
  printf '\nShinpan %s is installed. Open http://%s/ on a phone or tablet in the same network.\n' "$version" "$name"
  printf 'The referee'\''s PIN is printed by:  sudo shinpan pin\n'
}

# --- taking it away -----------------------------------------------------------------------------------------------

uninstall() {
  local unit
  if [ -z "$root" ]; then
    for unit in $UNITS; do
      if systemd_runs; then run systemctl disable -q --now "$unit" 2>/dev/null || true; else run systemctl disable -q "$unit" 2>/dev/null || true; fi
    done
  fi
  for unit in $UNITS; do run rm -f "$units/$unit"; done
  run rm -f "$root/etc/udev/rules.d/70-shinpan-panels.rules" "$root/etc/systemd/journald.conf.d/shinpan.conf" "$root/usr/local/bin/shinpan"
  run rm -rf "$opt"
  if systemd_runs; then run systemctl daemon-reload; fi
  printf '\nShinpan is gone. Kept: %s (matches, cards, calibration) and %s (settings).\n' "$data" "$etc"
  printf 'install.sh finds them again; to lose them too: sudo rm -r %s %s\n' "$data" "$etc"
}

main "$@"
