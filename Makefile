# `make run` and `make test` do everything from nothing; the rest is for those who work on the project.
# PYTHON=/path/to/python3 chooses the Python that .venv is made of. BUILD=1 lets set-up build packages that have no wheel
# for this system, with tools that are not in the lock.

.PHONY: help run test test-slow test-scale lint lock schemas sample notices translations pictures tour bench bench-compare bench-peers bench-scale torture man package deb test-deb live-view appimage dmg release-index clean installer test-installer test-windows

# The words after `bench-compare` name runs; they are no targets.
ifeq (bench-compare,$(firstword $(MAKECMDGOALS)))
RUNS := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
$(eval $(RUNS):;@:)
endif

help:
	@echo "make run      set up, and open the window with the sample loaded"
	@echo "make test     set up, and run every check and all tests that are not slow"
	@echo "make test-slow  set up, and run the others: on real servers, of all screens, the live view, and killed processes"
	@echo "make test-scale  set up build/scale-venv with PySpark, and run the tests of datasets on Spark; needs Java 17"
	@echo "make lint     set up, and run the checks that need no test: ruff and ty"
	@echo "make lock     write the locks again from pyproject.toml; UPGRADE=1 takes newer releases"
	@echo "make schemas  write resources/schemas/ again from the structs"
	@echo "make notices  write build/THIRD-PARTY-NOTICES.txt: the licences of what the locks name; packaging does it too"
	@echo "make sample   write the sample bundle in resources/samples/ again from its tasks and pages"
	@echo "make translations  take the window's new texts into resources/translations/, and compile what is there"
	@echo "make pictures  take the pictures of the pages and those that the tests compare again"
	@echo "make tour     take a picture of every screen in its sizes and themes, in build/tour/"
	@echo "make bench    measure everything beside its floor with 100,000 tasks, and add the run to build/bench.json;"
	@echo "              BENCH_TASKS=10000 is quicker"
	@echo "make bench-compare A B  say what moved by more than noise between two runs, by number or commit"
	@echo "make bench-peers  measure Label Studio, doccano and Potato in turn with ours, each in an environment of its own in"
	@echo "              build/peers (2 GB); BENCH_TASKS=1000 is quicker, WRITE=1 writes the pages"
	@echo "make bench-scale  measure datasets of 10,000 to 10,000,000 judged places on DuckDB and Spark (hours, 10 GB);"
	@echo "              BENCH_PLACES=100000 is quicker, WRITE=1 writes the page"
	@echo "make torture  stop the program a thousand times, let its disk fail and its power go; writes build/torture.json;"
	@echo "              TORTURE_KILLS=100 is quicker"
	@echo "make man      write the manual pages of the commands to build/man/"
	@echo "make package  make the wheel and the Linux folder in dist/, and test the folder; FLAVOUR=full puts Qt WebEngine in"
	@echo "make live-view  make the add-on with Qt WebEngine for packages without it, in dist/"
	@echo "make appimage  make an AppImage of the folder that make package makes; RUNTIME=FILE RUNTIME_SHA256=... name the"
	@echo "              runtime, without which dist/ gets the content only; GLIBC=2.34 fails if a newer one is needed"
	@echo "make deb      make a package for Debian 12 and 13 of the folder in dist/, on Debian 12"
	@echo "make test-deb  install it in a bare Debian 12 and 13, use it, and remove it; needs root and debootstrap"
	@echo "make installer  make the installer for Windows in dist/, on Linux; FLAVOUR=full puts Qt WebEngine in"
	@echo "make test-installer  make it, install it under Wine, use it, and remove it; needs root and debootstrap"
	@echo "make test-windows  run the tests with Windows' Python under Wine; as above"
	@echo "make release-index KEY=KEY.pem  sign the index of the packages in dist/; NOTES=FILE says what is new"
	@echo "make dmg      make the application and the disk image for macOS in dist/, on macOS"
	@echo "make clean    remove .venv, build/ and dist/"

run: .venv/ready
	@packaging/run.sh

# Each of the two processes works through one half of the files, and takes over from the other at the end.
pytest = .venv/bin/pytest -n 2 --dist worksteal

test: lint
	$(pytest) -m "not slow"

test-slow: .venv/ready-dev
	@.venv/bin/python packaging/hub_servers.py
	$(pytest) -m slow

test-scale: .venv/ready-dev requirements-scale.lock
	@packaging/setup_scale.sh
	build/scale-venv/bin/pytest -W ignore::ResourceWarning tests/plugins/dataset  # Spark leaves sockets open

release-index: .venv/ready
	.venv/bin/python packaging/release.py --key $(KEY) $(if $(NOTES),--notes $(NOTES))

lint: .venv/ready-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/ty check
	.venv/bin/ty check --python-platform win32 desktop_rater
	.venv/bin/ty check --python-platform darwin desktop_rater

lock: .venv/ready
	packaging/lock.sh $(if $(UPGRADE),--upgrade)

schemas: .venv/ready
	for name in bundle-manifest task rating results-manifest rubric signature hub assignment key; do \
	    .venv/bin/desktop-rater schema $$name | .venv/bin/python -m json.tool --no-ensure-ascii --indent 2 \
	        > resources/schemas/$$name.schema.json; \
	done

notices: .venv/ready
	.venv/bin/python packaging/components.py

sample: .venv/ready
	.venv/bin/python packaging/sample.py

translations: .venv/ready
	.venv/bin/python packaging/translations.py

pictures: .venv/ready-dev
	.venv/bin/python -m tools.pictures
	DESKTOP_RATER_RENEW=1 .venv/bin/pytest -q tests/plugins/test_snapshots.py

tour: .venv/ready
	QT_QPA_PLATFORM=offscreen .venv/bin/python -m tools.tour --out build/tour

bench: .venv/ready-dev
	.venv/bin/python -m bench

bench-compare: .venv/ready-dev
	@.venv/bin/python -m bench.compare $(RUNS)

bench-peers: .venv/ready-dev
	.venv/bin/python -m bench.peers $(if $(WRITE),--write)

bench-scale: .venv/ready-dev
	.venv/bin/python -m bench.scale $(if $(WRITE),--write)

torture: .venv/ready-dev
	.venv/bin/python -m tests.torture
	DESKTOP_RATER_EXAMPLES=30 .venv/bin/pytest -q -n 2 tests/format/test_mutations.py tests/operations/test_mutated_bundles.py \
	    tests/ui/test_texts_of_the_world.py tests/hub/test_contract.py tests/hub/test_cuts.py tests/operations/test_sync_killed.py \
	    tests/store/test_store_outbox_always.py tests/audit/test_who_decides.py

man: .venv/ready
	.venv/bin/python packaging/man_pages.py

package: .venv/ready-dev man
	.venv/bin/python packaging/build.py $(or $(FLAVOUR),lite)

deb: package
	.venv/bin/python packaging/debian/make_deb.py

test-deb:
	packaging/debian/test_deb.sh

live-view: .venv/ready-dev
	.venv/bin/python packaging/live_view.py

appimage: package
	.venv/bin/python packaging/appimage/make_appimage.py $(if $(GLIBC),--glibc $(GLIBC)) \
	    $(if $(RUNTIME),--runtime $(RUNTIME) --sha256 $(RUNTIME_SHA256))

installer: .venv/ready-dev
	.venv/bin/python packaging/windows/make_installer.py $(or $(FLAVOUR),lite)

test-installer: installer
	packaging/windows/test_installer.sh $(FLAVOUR)

test-windows: .venv/ready-dev
	packaging/windows/run_tests.sh

dmg: package
	.venv/bin/python packaging/macos/make_dmg.py

clean:
	rm -rf .venv build dist

# Set up again when what .venv is made from has changed, or when its Python has been replaced or removed.
sources = pyproject.toml packaging/setup.sh packaging/system_libraries.py .venv/bin/python

.venv/ready: requirements.lock $(sources)
	@packaging/setup.sh run
	@touch $@

.venv/ready-dev: requirements-dev.lock $(sources)
	@packaging/setup.sh dev
	@touch $@ .venv/ready

.venv/bin/python: ;
