# The commands of this repository. `make run` and `make test` need a Swift 6.3 toolchain in PATH and nothing else.

PREFIX ?= /usr/local
DESTDIR ?=

# The Swift runtime goes into the programs: they start faster, and run where there is no toolchain. lld is quicker, and
# does not warn of what Foundation links but Thumbturn never calls.
RELEASE := swift build -c release --static-swift-stdlib -Xswiftc -use-ld=lld
SANITIZED := ThumbturnCryptoTests|ThumbturnVaultTests|ThumbturnKeychainTests
# Scans of the process's memory, because the sanitizer's shadow memory has terabytes; and what asks for locked pages,
# because the sanitizer makes mlock do nothing. A fork among threads, which leaves the sanitizer's own locks held in the
# child. And files that are made to take long: one thread reads them, 50 times slower there.
NOT_SANITIZED := leavesNoTrace|scanFindsPlanted|throwingFill|pagesAreProtected|manyThreads|insideCall|HostileSalvageTests
BUILT := .build/release
AUDITOR_BUILT := Auditor/.build/release
# Not the folder itself: its build holds copies of nothing that is ours to format.
BENCHMARKS := Benchmarks/Package.swift Benchmarks/Sources
AUDITOR := Auditor/Package.swift Auditor/Sources Auditor/Tests

.PHONY: help run build test auditor bench-auditor check-formats check-damage test-auditor flips fuzz-frames bench bench-quick faults faults-planted conformance model tsan toolchain format lint checks install uninstall clean

help: ## Says what each target does.
	@sed -nE 's/^([a-z-]+):.*## (.*)/make \1\t\2/p' Makefile | expand -t 20

run: build ## Installs missing Debian packages, builds a release and shows the tour, on a scratch vault.
	$(BUILT)/thumbturn tour

build: ## Installs missing Debian packages and builds a release.
	@scripts/bootstrap run
	$(RELEASE) --product thumbturn
	$(RELEASE) --product thumbturn-tour
	$(RELEASE) --product thumbturnd
	@mkdir -p $(BUILT)/completions
	@for shell in bash zsh fish; do $(BUILT)/thumbturn completions $$shell >$(BUILT)/completions/$$shell || exit; done
	@scripts/check-symbols $(BUILT)/thumbturn $(BUILT)/thumbturn-tour $(BUILT)/thumbturnd

test: ## Installs missing Debian packages and runs every test. Your own vault is never touched.
	@scripts/test

auditor: ## Installs missing Debian packages and builds a release of the auditor.
	@scripts/bootstrap audit
	swift build --package-path Auditor -c release --product thumbturn-audit

bench-auditor: auditor ## Measures the auditor against xcprivacy of PyPI on one made-up app of 3,300 files.
	@Auditor/Benchmarks/run

check-formats: ## Holds JSON and SARIF of the auditor against their schemas. SARIF_SCHEMA=FILE is the published one.
	@scripts/bootstrap audit
	swift build --package-path Auditor
	@Auditor/Tests/check-formats $(SARIF_SCHEMA)

check-damage: auditor ## Measures time and memory of the auditor on damaged and hostile input, and fails over the bounds.
	@Auditor/Tests/check-damage

test-auditor: ## Runs the tests of the auditor.
	@scripts/bootstrap audit
	swift test --package-path Auditor

flips: ## Flips every bit of a small vault and 100,000 of a large one, and cuts files at every length. Takes long.
	$(RELEASE) --product Flips
	$(BUILT)/Flips

fuzz-frames: ## Sends 10^6 mutated messages to the decoders and 10^5 to a running agent. SEED=N repeats a run.
	@scripts/bootstrap test
	$(RELEASE) --product TestAgent
	$(RELEASE) --product FrameFuzz
	$(BUILT)/FrameFuzz $(SEED)

bench: ## Measures against a C program and gnome-keyring. The first run fills vaults and takes several minutes more.
	@Benchmarks/run

bench-quick: ## The same with 1,000 and 10,000 items and without gnome-keyring.
	@Benchmarks/run --quick

faults: ## Kills, fails, cuts off and crowds the release of this commit, at every place. Takes long.
	@scripts/bootstrap test
	$(RELEASE) --product thumbturn
	$(RELEASE) --product Faults
	@scripts/faults

faults-planted: ## Builds with each planted fault, and fails when the harness does not find it. Takes long.
	@scripts/bootstrap test
	$(RELEASE) --product thumbturn
	$(RELEASE) --product Faults
	@scripts/faults-planted

conformance: ## Runs a file of cases: CASES=FILE, BACKEND=local (the default), memory, agent or fprintd (as root).
	@test -n '$(CASES)' || { echo 'thumbturn: error: make conformance CASES=FILE [BACKEND=local|memory|agent|fprintd]' >&2; exit 1; }
	@scripts/bootstrap test
	$(RELEASE) --product Conformance
	@$(BUILT)/Conformance '$(CASES)' '$(or $(BACKEND),local)'

model: ## Holds 100,000 random sequences of calls over both backends against a model of the rules. SEED=N repeats a run.
	@scripts/bootstrap test
	$(RELEASE) --product Model
	$(BUILT)/Model --count 100000 --lanes 2 $(if $(SEED),--seed $(SEED))

tsan: ## Runs the tests of the engine under the thread sanitizer.
	@scripts/bootstrap test
	@scripts/test --sanitize=thread -Xswiftc -DSANITIZE_THREAD --scratch-path .build/tsan --filter '$(SANITIZED)' \
	  --skip '$(NOT_SANITIZED)'

toolchain:
	@scripts/bootstrap toolchain

format: toolchain ## Formats all Swift source.
	swift format --in-place --parallel --recursive Package.swift Sources Tests $(BENCHMARKS) $(AUDITOR)

lint: toolchain ## Fails on Swift source that is not formatted, or against a rule of .swift-format.
	swift format lint --strict --parallel --recursive Package.swift Sources Tests $(BENCHMARKS) $(AUDITOR)

checks: toolchain ## Fails on imports that the manifest does not declare: the compiler's check, and the stricter one.
	swift build --explicit-target-dependency-import-check error
	@scripts/check-imports

install: ## Installs the release, and the auditor where it is built, to PREFIX (/usr/local) below DESTDIR. Run `make build` first.
	@test -x $(BUILT)/thumbturn || { echo 'thumbturn: error: nothing is built; run make build first' >&2; exit 1; }
	install -D -m 0755 $(BUILT)/thumbturn '$(DESTDIR)$(PREFIX)/bin/thumbturn'
	install -D -m 0755 $(BUILT)/thumbturn-tour '$(DESTDIR)$(PREFIX)/libexec/thumbturn/thumbturn-tour'
	install -D -m 0644 $(BUILT)/completions/bash '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/thumbturn'
	install -D -m 0644 $(BUILT)/completions/zsh '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_thumbturn'
	install -D -m 0644 $(BUILT)/completions/fish '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/thumbturn.fish'
	@if test -x $(AUDITOR_BUILT)/thumbturn-audit; then scripts/install-auditor '$(DESTDIR)$(PREFIX)' $(AUDITOR_BUILT); fi
	@if test -f data/man/thumbturn.1; then \
	  install -D -m 0644 data/man/thumbturn.1 '$(DESTDIR)$(PREFIX)/share/man/man1/thumbturn.1'; fi
	install -D -m 0755 $(BUILT)/thumbturnd '$(DESTDIR)$(PREFIX)/libexec/thumbturn/thumbturnd'
	install -D -m 0644 data/thumbturnd.socket '$(DESTDIR)$(PREFIX)/lib/systemd/user/thumbturnd.socket'
	install -D -m 0644 data/thumbturnd.service '$(DESTDIR)$(PREFIX)/lib/systemd/user/thumbturnd.service'
	sed -i 's,@libexec@,$(PREFIX)/libexec/thumbturn,' '$(DESTDIR)$(PREFIX)/lib/systemd/user/thumbturnd.service'
	install -D -m 0644 data/man/thumbturnd.8 '$(DESTDIR)$(PREFIX)/share/man/man8/thumbturnd.8'

uninstall: ## Removes what `make install` put below PREFIX.
	rm -f '$(DESTDIR)$(PREFIX)/bin/thumbturn' \
	  '$(DESTDIR)$(PREFIX)/libexec/thumbturn/thumbturn-tour' '$(DESTDIR)$(PREFIX)/libexec/thumbturn/thumbturnd' \
	  '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/thumbturn' \
	  '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_thumbturn' \
	  '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/thumbturn.fish' \
	  '$(DESTDIR)$(PREFIX)/lib/systemd/user/thumbturnd.socket' '$(DESTDIR)$(PREFIX)/lib/systemd/user/thumbturnd.service' \
	  '$(DESTDIR)$(PREFIX)/share/man/man1/thumbturn.1' '$(DESTDIR)$(PREFIX)/share/man/man8/thumbturnd.8'

clean: ## Removes everything that was built.
	rm -rf .build Benchmarks/.build Auditor/.build
