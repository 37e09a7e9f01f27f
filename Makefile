# The targets of the project. Needs GNU make 4.3 and Swift 6.2 or later; everything else is installed by `packages`.
#
# There is one build: release, with the Swift standard library linked into the two programs (the linker settings are in
# Package.swift). Programs and test bundles share its objects, so the dependencies are compiled once.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# A regular expression over suite and test names: make test FILTER=CLITests
FILTER ?=

BINARIES := $(CURDIR)/.build/release
RELEASE := -c release
TESTS := $(RELEASE) --disable-xctest

.PHONY: help
help: ## This list
	@awk 'BEGIN { FS = ":.*## "; print "make TARGET, with TARGET one of" } \
	    /^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Try it: builds, starts a local Clover, signs in, fetches orders; needs no account and no network
	@Scripts/install-packages build
	@Scripts/demo

.PHONY: test
test: ## Installs what is missing, builds, runs all tests (under 15 minutes on two cores); FILTER=REGEX picks some
	@Scripts/install-packages build test
	$(SWIFT) build $(TESTS) --build-tests
	$(SWIFT) build $(RELEASE) --product generate-manual
	@SWIFT='$(SWIFT)' CLOVER_TEST_BINARIES='$(BINARIES)' Scripts/run-tests '$(FILTER)'

.PHONY: test-browser
test-browser: ## A headless Chromium signs in through the consent page and the listener; pictures in .build/screenshots
	@Scripts/install-packages build browser
	$(SWIFT) build $(RELEASE) --product clover
	$(SWIFT) build $(RELEASE) --product clover-emulator
	CLOVER_TEST_BINARIES='$(BINARIES)' Tests/Browser/run

.PHONY: test-bluez
test-bluez: ## The program beside a real bluetoothd, in a virtual machine (a minute or two); the machine is in .build/bluez
	@Scripts/install-packages build bluez
	$(SWIFT) build $(RELEASE) --product clover
	CLOVER_TEST_BINARIES='$(BINARIES)' Tests/BlueZ/run

.PHONY: check
check: ## What a change must pass beside the tests: format, warnings as errors, generated files up to date
	@Scripts/install-packages build
	@Scripts/check

.PHONY: build
build: ## The two programs, release and stripped: .build/release/clover and .build/release/clover-emulator
	@Scripts/install-packages build
	$(SWIFT) build $(RELEASE) --product clover
	$(SWIFT) build $(RELEASE) --product clover-emulator

.PHONY: install
install: build ## Programs, manual pages and completions under $(DESTDIR)$(PREFIX), by default /usr/local
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install-files install

.PHONY: uninstall
uninstall: ## Takes away what install put under $(DESTDIR)$(PREFIX)
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install-files uninstall

.PHONY: deb
deb: build ## A Debian package in .build/deb, judged by lintian
	@Scripts/install-packages deb
	Scripts/make-deb .build/deb
	lintian --fail-on error .build/deb/*.deb

.PHONY: bench
bench: build ## Speed and memory against curl, jq, gojq, gh, httpx, dlt and a Singer tap, written to Benchmarks/RESULTS.md
	@Scripts/install-packages bench
	@Scripts/install-python bench
	$(SWIFT) build $(RELEASE) --product pacing-probe
	Benchmarks/run

.PHONY: soak
soak: ## The long proofs in full (about an hour), written to docs/soak.md; FILTER=REGEX runs some suites
	@Scripts/install-packages build test
	@Scripts/soak '$(FILTER)'

.PHONY: docs
docs: build ## Manual pages and completions, generated from the program's own help
	$(SWIFT) build $(RELEASE) --product generate-manual
	Scripts/generate-catalogue
	Scripts/generate-emulator-catalogue
	Scripts/generate-docs
	Scripts/generate-figures

.PHONY: clean
clean: ## Removes everything built
	rm -rf .build

.PHONY: packages
packages: ## Installs the missing Debian packages for building and testing
	@Scripts/install-packages build test
