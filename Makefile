# `make help` lists the targets. `make demo` and `make test` install whatever they need.

PREFIX ?= /usr/local
STRICT = -Xswiftc -warnings-as-errors
FUZZ = .build/release/fuzz-answers $(CATALOG_FIXTURES) --seed $(or $(SEED),42)
# Packages that only tests need: shells whose completion is tested, a reader of manual pages, strace for failing system
# calls, the checker of translations, readers of barcodes and scalers of pictures; as Python packages, readers of bibliographies and a checker of JSON schemas.
TESTED = zsh fish groff-base strace gettext zbar-tools libvips-tools
TESTED_PYTHON = rispy==0.10.0 pybtex==0.26.1 jsonschema==4.26.0

.PHONY: help demo test lint build release ordered instructions fuzz torture simulate services install uninstall deb \
  dist pictures packages clean

## Prints this list.
help:
	@awk '/^## / { text = text (text ? "\n               " : "") substr($$0, 4) } \
	  /^[a-z]+:/ && text { sub(/:.*/, ""); printf "%-14s %s\n", $$0, text } !/^## / { text = "" }' Makefile

## Shows the main job, from a search to a genre report, on a temporary catalog. It needs a network only to install
## missing Debian packages, which it names.
demo: packages release
	Scripts/demo .build/release/catalog

## Checks the format, builds without warnings and runs all tests. LONG=1 runs more rounds of the random ones.
test: packages lint
	swift build --build-tests $(STRICT)
	@Scripts/packages $(TESTED)
	@Scripts/python-packages $(TESTED_PYTHON)
	$(if $(LONG),CATALOG_LONG=1) Scripts/test

## Checks the format and the language of comments.
lint:
	Scripts/conversions
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Migrations Benchmarks Tools
	@Scripts/language

## Builds the program for debugging.
build:
	swift build --product catalog

## Builds the static executable .build/release/catalog. HOMEPAGE=https://… is the page that it names to services.
release: packages
	HOMEPAGE='$(HOMEPAGE)' Scripts/release catalog

## Counts the instructions of a few commands with valgrind and compares them with Benchmarks/instructions.txt.
instructions: release
	@Scripts/packages valgrind
	Scripts/release catalog-benchmarks
	Benchmarks/instructions

## Reads damaged answers of services, exports of other programs, dumps of sources, and answers that are too large.
## CATALOG_FIXTURES is the folder with the recorded ones; COUNT=1000000 SEED=7 for more, and others.
fuzz: packages
	swift build -c release --product fuzz-answers
	$(FUZZ) --count $(or $(COUNT),100000)
	$(FUZZ) --exports --count $(or $(COUNT),100000)
	$(FUZZ) --dumps --count $$(($(or $(COUNT),100000) / 10))
	$(FUZZ) --heavy --count 300

## Kills, crowds and starves every command that writes, and devices that sync, and counts lost data.
## COUNT=20000 SEED=7 for more, and others; MEMBERS=100 COUNT=1000000 EVERY=1000 for many devices.
torture: release
	swift build -c release --product torture
	Scripts/torture

## Counts how often the genre report finds a change in random shelves of an unchanged and of a changed taste
## (docs/genre-mathematics.md). COUNT=1000 SEED=7 for more, and others.
simulate: packages
	swift build -c release --product simulate
	.build/release/simulate false-alarms --shelves $(or $(COUNT),200) --seed $(or $(SEED),42)
	.build/release/simulate power --shelves $(or $(COUNT),200) --seed $(or $(SEED),42)

## Imitates the public services on this computer (CONTRIBUTING.md).
## REFUSALS="openlibrary=forbidden kakao=slow:5" PORT=8080 starts with services that refuse.
services: packages
	swift build --product services
	.build/debug/services --port $(or $(PORT),0) $(REFUSALS)

## Builds the executable as it is packed, with its functions in the order in which short commands run them.
ordered: packages
	@Scripts/packages valgrind
	HOMEPAGE='$(HOMEPAGE)' Scripts/order

## Installs the executable, its completions and its manual pages under PREFIX.
install: release
	@Scripts/packages lowdown
	Scripts/install .build/release/catalog $(DESTDIR)$(PREFIX)

## Removes what `make install` installed.
uninstall:
	cd $(DESTDIR)$(PREFIX) && rm -f bin/catalog lib/systemd/user/catalog-sync.service \
	  lib/systemd/user/catalog-sync.timer lib/systemd/user/catalog-serve.service \
	  share/bash-completion/completions/catalog share/zsh/site-functions/_catalog \
	  share/fish/vendor_completions.d/catalog.fish share/man/man1/catalog.1 share/man/man1/catalog-*.1 \
	  share/man/*/man1/catalog.1 share/man/*/man1/catalog-*.1 share/man/man5/catalog.5

## Makes dist/catalog_VERSION_ARCH.deb, for Debian and its derivatives. It needs no Swift where it is installed.
deb: ordered
	@Scripts/packages lowdown
	Scripts/package deb .build/release/catalog

## Makes dist/catalog-VERSION-linux-ARCH.tar.xz, for any other Linux.
dist: ordered
	@Scripts/packages lowdown
	Scripts/package archive .build/release/catalog

## Draws the pictures of the README from the catalog of the demo.
pictures: packages build
	@Scripts/packages python3-rich tmux faketime chromium fonts-noto-cjk
	Scripts/pictures .build/debug/catalog docs/images

## Installs the Debian packages that a build needs, if they are missing.
packages:
	@Scripts/packages

## Removes the builds.
clean:
	rm -rf .build
