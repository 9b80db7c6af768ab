# What there is to do with this project. `make demo` and `make test` set up whatever they need.

PREFIX ?= /usr/local
# Static: one file that runs on any Linux, and starts in a millisecond (docs/architecture.md, decision 3).
RELEASE = swift build -c release --static-swift-stdlib -Xswiftc -static-executable -Xlinker -s --product catalog
STRICT = -Xswiftc -warnings-as-errors

.PHONY: demo test test-packages lint build release instructions fuzz torture install uninstall packages clean

## The main job, from a search to a genre report, on a catalog that is thrown away. It may install Debian packages, which it
## names; without them missing it needs no network.
demo: packages release
	Scripts/demo .build/release/catalog

## Everything that must hold: format, a build without warnings, all tests.
test: test-packages lint
	swift build --build-tests $(STRICT)
	swift test --skip-build --no-parallel $(STRICT)

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Migrations Benchmarks Tools

build:
	swift build --product catalog

## The one static executable: .build/release/catalog
release: packages
	@echo '$(RELEASE)'
	@$(RELEASE) 2>&1 | grep -v -e 'Using .* in statically linked applications' -e '^$$' || true
	@test -x .build/release/catalog

## Counts the instructions of a few commands, and compares them with the figures in Benchmarks/instructions.txt.
instructions: release
	$(subst --product catalog,--product catalog-benchmarks,$(RELEASE)) >/dev/null 2>&1
	Benchmarks/instructions

## Leads damaged answers of the real services through all that reads answers. CATALOG_FIXTURES names the folder with the
## recorded ones; `make fuzz COUNT=1000000 SEED=7` for more, and others. Then answers of which there is too much.
fuzz: packages
	swift build -c release --product fuzz-answers
	.build/release/fuzz-answers --count $(or $(COUNT),100000) --seed $(or $(SEED),42) $(CATALOG_FIXTURES)
	.build/release/fuzz-answers --heavy --count 300 --seed $(or $(SEED),42) $(CATALOG_FIXTURES)

## Ends every command that writes by signals, crowds one catalog with processes, lets system calls fail, and counts what is
## lost. `make torture COUNT=20000 SEED=7` for more, and others.
torture: release
	swift build -c release --product torture
	@failed=0; for way in 'kill --count $(or $(COUNT),2000)' crowd 'faults --count $(or $(COUNT),2000)'; do \
	  .build/release/torture $$way --seed $(or $(SEED),42) || failed=1; done; exit $$failed

## The executable with its completions and manual page, under PREFIX.
install: release
	install -D -m 755 .build/release/catalog $(DESTDIR)$(PREFIX)/bin/catalog
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d $(DESTDIR)$(PREFIX)/share/man/man1
	.build/release/catalog completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/catalog
	.build/release/catalog completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_catalog
	.build/release/catalog completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/catalog.fish
	.build/release/catalog manual > $(DESTDIR)$(PREFIX)/share/man/man1/catalog.1

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/catalog $(DESTDIR)$(PREFIX)/share/bash-completion/completions/catalog \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_catalog $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/catalog.fish \
	  $(DESTDIR)$(PREFIX)/share/man/man1/catalog.1

## The Debian packages that a build needs, when they are missing.
packages:
	@Scripts/packages

## And those that only the tests need: shells that complete.
test-packages:
	@Scripts/packages zsh fish

clean:
	rm -rf .build
