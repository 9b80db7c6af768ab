# What there is to do with this project. `make demo` and `make test` set up whatever they need.

PREFIX ?= /usr/local
STRICT = -Xswiftc -warnings-as-errors
# What only tests need: the shells whose completion is tested, the reader of manual pages, system calls that fail, the checker
# of translations; and readers of bibliographies, as Python packages.
TESTED = zsh fish groff-base strace gettext
TESTED_PYTHON = rispy==0.10.0 pybtex==0.26.1 jsonschema==4.26.0

.PHONY: demo test lint build release ordered instructions fuzz torture simulate services install uninstall deb dist pictures packages clean

## The main job, from a search to a genre report, on a catalog that is thrown away. It may install Debian packages, which it
## names; without them missing it needs no network.
demo: packages release
	Scripts/demo .build/release/catalog

## Everything that must hold: format, a build without warnings, all tests. `make test LONG=1` runs more rounds of the random ones.
test: packages lint
	swift build --build-tests $(STRICT)
	@Scripts/packages $(TESTED)
	@Scripts/python-packages $(TESTED_PYTHON)
	$(if $(LONG),CATALOG_LONG=1) Scripts/test

lint:
	Scripts/conversions
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Migrations Benchmarks Tools
	@Scripts/language

build:
	swift build --product catalog

## The one static executable: .build/release/catalog. `make release HOMEPAGE=https://…` builds one that names its page to the
## services that ask for it.
release: packages
	HOMEPAGE='$(HOMEPAGE)' Scripts/release catalog

## With valgrind, counts the instructions of a few commands, and compares them with the figures in Benchmarks/instructions.txt.
instructions: release
	@Scripts/packages valgrind
	Scripts/release catalog-benchmarks
	Benchmarks/instructions

## Leads damaged answers of the real services, exports of other programs and dumps of sources through all that reads them.
## CATALOG_FIXTURES names the folder with the recorded ones; `make fuzz COUNT=1000000 SEED=7` for more, and others. Then answers of which there is too much.
fuzz: packages
	swift build -c release --product fuzz-answers
	.build/release/fuzz-answers --count $(or $(COUNT),100000) --seed $(or $(SEED),42) $(CATALOG_FIXTURES)
	.build/release/fuzz-answers --exports --count $(or $(COUNT),100000) --seed $(or $(SEED),42) $(CATALOG_FIXTURES)
	.build/release/fuzz-answers --dumps --count $$(($(or $(COUNT),100000) / 10)) --seed $(or $(SEED),42) $(CATALOG_FIXTURES)
	.build/release/fuzz-answers --heavy --count 300 --seed $(or $(SEED),42) $(CATALOG_FIXTURES)

## Ends every command that writes, and builds of copies, by signals, crowds one catalog with processes, lets system calls fail, lets devices sync, and
## counts what is lost. `make torture COUNT=20000 SEED=7` for more, and others; `MEMBERS=100 COUNT=1000000 EVERY=1000` for many devices.
torture: release
	swift build -c release --product torture
	@failed=0; for way in 'kill --count $(or $(COUNT),2000)' 'copies --count $(or $(COUNT),1000)' crowd 'faults --count $(or $(COUNT),2000)' \
	  'undo --count $(or $(COUNT),2000)' 'sync --count $(or $(COUNT),500)' 'devices --count $(or $(COUNT),10000) --members $(or $(MEMBERS),10) \
	  --sync-every $(or $(EVERY),20) --kills $(or $(KILLS),300) --pushes $(or $(PUSHES),50)'; do \
	  .build/release/torture $$way --seed $(or $(SEED),42) || failed=1; done; exit $$failed

## Shelves of an unchanged taste, and of a changed one, and how often the genre report says something: docs/genre-mathematics.md.
## `make simulate COUNT=1000 SEED=7` for more, and others.
simulate: packages
	swift build -c release --product simulate
	.build/release/simulate false-alarms --shelves $(or $(COUNT),200) --seed $(or $(SEED),42)
	.build/release/simulate power --shelves $(or $(COUNT),200) --seed $(or $(SEED),42)

## Imitates the public services on this computer, well-behaved or not: CONTRIBUTING.md. `make services REFUSALS="openlibrary=forbidden
## kakao=slow:5" PORT=8080` starts with services that refuse.
services: packages
	swift build --product services
	.build/debug/services --port $(or $(PORT),0) $(REFUSALS)

## The executable as it is packed: its functions in the order in which short commands run them, which takes a minute more.
ordered: packages
	@Scripts/packages valgrind
	HOMEPAGE='$(HOMEPAGE)' Scripts/order

## The executable with its completions and manual pages, under PREFIX.
install: release
	@Scripts/packages lowdown
	Scripts/install .build/release/catalog $(DESTDIR)$(PREFIX)

uninstall:
	cd $(DESTDIR)$(PREFIX) && rm -f bin/catalog lib/systemd/user/catalog-sync.service lib/systemd/user/catalog-sync.timer lib/systemd/user/catalog-serve.service share/bash-completion/completions/catalog share/zsh/site-functions/_catalog \
	  share/fish/vendor_completions.d/catalog.fish share/man/man1/catalog.1 share/man/man1/catalog-*.1 share/man/*/man1/catalog.1 share/man/*/man1/catalog-*.1 \
	  share/man/man5/catalog.5

## dist/catalog_VERSION_ARCH.deb, for Debian and what stands on it: nothing of Swift is needed where it is installed.
deb: ordered
	@Scripts/packages lowdown
	Scripts/package deb .build/release/catalog

## dist/catalog-VERSION-linux-ARCH.tar.xz: the same for any other Linux.
dist: ordered
	@Scripts/packages lowdown
	Scripts/package archive .build/release/catalog

## The pictures of the README, from the catalog of the demo.
pictures: packages build
	@Scripts/packages python3-rich tmux faketime chromium fonts-noto-cjk
	Scripts/pictures .build/debug/catalog docs/images

## The Debian packages that a build needs, when they are missing.
packages:
	@Scripts/packages

clean:
	rm -rf .build
