# Needs GNU make 4.3 and Swift 6.2 or later; `packages` installs everything else.
#
# There is a single build: release, with the Swift standard library linked into the two programs (the linker settings are
# in Package.swift). Programs and test bundles share its objects, so dependencies are compiled once.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# A regular expression over suite and test names: make test FILTER=CLITests
FILTER ?=

# What `clover version` names; empty without git. Changed sources count as another version than their commit.
export CLOVER_COMMIT := $(shell git describe --always --abbrev=40 --exclude='*' --dirty 2>/dev/null)

BINARIES := $(CURDIR)/.build/release
RELEASE := -c release
TESTS := $(RELEASE) --disable-xctest
# The modules of the Swift library.
KIT = $(shell sed -n 's/^ *\.library.name: "\([A-Za-z]*\)".*/\1/p' Package.swift)

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## "; print "make TARGET, with TARGET one of" } \
	    /^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Try it out: build, start a local Clover, sign in, fetch orders; needs no account and no network
	@Scripts/install-packages build
	@Scripts/demo

.PHONY: demo-fleet
demo-fleet: ## Try out a fleet: three machines, one PostgreSQL, 12 merchants, one machine killed in the middle
	@Scripts/install-packages build test
	@Scripts/demo-fleet

.PHONY: test
test: ## Install what is missing, build, run all tests but the long proofs; FILTER=REGEX selects some
	@Scripts/install-packages build test
	$(SWIFT) build $(TESTS) --build-tests
	@SWIFT='$(SWIFT)' CLOVER_TEST_BINARIES='$(BINARIES)' Scripts/run-tests '$(FILTER)'

.PHONY: proofs
proofs: ## Build, then run the long proofs with small counts (a few minutes); make soak runs them in full
	@Scripts/install-packages build test
	$(SWIFT) build $(TESTS) --build-tests
	@SWIFT='$(SWIFT)' CLOVER_TEST_BINARIES='$(BINARIES)' Scripts/run-tests --proofs

.PHONY: coverage
coverage: ## Measure which lines of Sources the tests of the modules run, in a separate debug build: .build/coverage
	@Scripts/install-packages build test
	@SWIFT='$(SWIFT)' Scripts/coverage '$(FILTER)'

.PHONY: test-browser
test-browser: ## Sign in through the consent page and the listener in headless Chromium; screenshots in .build/screenshots
	@Scripts/install-packages build browser
	$(SWIFT) build $(RELEASE) --target programs
	CLOVER_TEST_BINARIES='$(BINARIES)' Tests/Browser/run

.PHONY: test-bluez
test-bluez: ## Run the program with a real bluetoothd in a virtual machine (a minute or two); files in .build/bluez
	@Scripts/install-packages build bluez
	$(SWIFT) build $(RELEASE) --product clover
	CLOVER_TEST_BINARIES='$(BINARIES)' Tests/BlueZ/run

.PHONY: check
check: ## Check what a change must pass besides the tests: format, warnings as errors, up-to-date generated files
	@Scripts/install-packages build
	@Scripts/check

.PHONY: build
build: ## Build the two programs, release and stripped: .build/release/clover and .build/release/clover-emulator
	@Scripts/install-packages build
	$(SWIFT) build $(RELEASE) --target programs

.PHONY: install
install: build ## Install programs, manual pages and completions under $(DESTDIR)$(PREFIX) (default: /usr/local)
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install-files install

.PHONY: uninstall
uninstall: ## Remove what install put under $(DESTDIR)$(PREFIX)
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install-files uninstall

.PHONY: deb
deb: build ## Build a Debian package in .build/deb and check it with lintian
	@Scripts/install-packages deb
	Scripts/make-deb .build/deb
	lintian --fail-on error .build/deb/*.deb

.PHONY: dist
dist: export CLOVER_PORTABLE := 1
dist: build ## Build a tarball of both programs, man pages and completions in .build/dist, with an SBOM and SHA-256 sums
	@Scripts/install-packages deb
	Scripts/make-dist .build/dist

.PHONY: bench
bench: build ## Measure speed and memory against curl, jq, gojq, gh, httpx, dlt, pandas, sqlite-utils and Singer; writes Benchmarks/RESULTS.md
	@Scripts/install-packages bench
	@Scripts/install-python bench
	@Scripts/install-python bench-target
	$(SWIFT) build $(RELEASE) --product rate-limit-probe
	$(SWIFT) build $(RELEASE) --product kit-bench
	Benchmarks/run

.PHONY: soak
soak: ## Run the long tests in full (about an hour); writes docs/soak.md; FILTER=REGEX selects some suites
	@Scripts/install-packages build test
	@Scripts/soak '$(FILTER)'

.PHONY: mutants
mutants: ## Put known faults back into copies of the program; the model of the journal of charges must find each
	@Scripts/install-packages build test
	$(SWIFT) build $(TESTS) --build-tests
	@CLOVER_TEST_BINARIES='$(BINARIES)' Scripts/mutants

.PHONY: docs-kit
docs-kit: ## Write the documentation of the Swift library CloverKit, as web pages in .build/docs-kit
	@Scripts/install-packages build
	for module in $(KIT); do $(SWIFT) build $(RELEASE) --target $$module; done
	Scripts/generate-interface --docs .build/docs-kit

.PHONY: docs
docs: build ## Generate manual pages and completions from the program's help
	$(SWIFT) build $(RELEASE) --product generate-manual
	Scripts/generate-catalogue
	Scripts/generate-kit
	for module in $(KIT); do $(SWIFT) build $(RELEASE) --target $$module; done
	Scripts/generate-interface
	Scripts/generate-emulator-catalogue
	Scripts/generate-docs
	Scripts/generate-figures

.PHONY: clean
clean: ## Remove everything built
	rm -rf .build

.PHONY: packages
packages: ## Install missing Debian packages for building and testing
	@Scripts/install-packages build test
