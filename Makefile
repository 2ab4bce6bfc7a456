# `make` alone lists the targets: every line `target: … ## words` here and in install.mk is shown.

# Wall seconds for `make fuzz`, given to the script as its argument.
SECONDS = 600

# Kills for `make kill-test`, and what decides when they come: nothing given is another one each time.
LOOPS = 1000
SEED =

# How often `make bench` lets the contestants take turns; QUICK=1 is one short round, BENCH= takes further options.
ROUNDS = 5
QUICK =
BENCH =

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help build demo test lint fuzz kill-test figures machines machines-all bench profile clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build the daemon and the client for use (.build/release/quickactionsd, .build/release/quickactions)
	@./scripts/install-dependencies.sh build
	@echo '== Building the daemon and the client, release'
	swift build -c release --static-swift-stdlib --product quickactionsd
	swift build -c release --static-swift-stdlib --product quickactions

demo: build ## Build, then show the daemon at work on one person's week, and what a person can do with the client
	@./scripts/install-dependencies.sh demo
	@echo '== Demo: the daemon, by its sockets and files'
	@./scripts/demo.sh
	@echo
	@echo '== Demo: a menu from nothing, with the client'
	@./scripts/demo-menu.sh

test: ## Check the style, build everything and run all tests but those of make machines
	@./scripts/install-dependencies.sh build test
	@$(MAKE) --no-print-directory lint
	@echo '== Building the daemon and the tests, debug'
	swift build --build-tests
	@echo '== Running all tests but those of make machines'
	swift test --skip-build --disable-xctest --skip '^(MachineTests|BootTests)\.'
	@echo '== Building and running the example of the client library'
	@./scripts/try-example.sh

lint: ## Check the style of all Swift files
	@echo '== Checking the style'
	swift format lint --strict -r Sources Tests bench docs/examples Package.swift

fuzz: ## Fuzz the readers of untrusted input for SECONDS (600)
	@./scripts/install-dependencies.sh build
	@echo '== Fuzzing for $(SECONDS) s'
	@./scripts/fuzz.sh $(SECONDS)

kill-test: build ## Kill the daemon LOOPS (1000) times under load, under systemd; needs root
	@./scripts/install-dependencies.sh test
	@echo '== $(LOOPS) kills under load; each takes about half a second, and all is said at the end'
	./Tests/boot/run-under-systemd.sh -t $$((120 + 3 * $(LOOPS))) -d .build/release/quickactionsd \
	  Tests/boot/machines/kill.sh $(LOOPS) $(SEED)

machines: ## Try faults, disks, damage, clocks, clients, floods, full load, and kills under a real systemd; short counts
	@./scripts/install-dependencies.sh build test
	@echo '== Building the daemon and the tests, debug'
	swift build --build-tests
	@echo '== Running the machines, the benchmark, and what needs a systemd'
	swift test --skip-build --disable-xctest --filter '^(MachineTests|BootTests)\.'

machines-all: ## The same with the full counts; takes more than an hour
	@./scripts/install-dependencies.sh build test
	@echo '== Building the daemon, debug'
	swift build --product quickactionsd
	@echo '== Running the machines'
	./Tests/machines/faults.py --all
	./Tests/machines/small_disks.py --all
	./Tests/machines/slow_disk.py --seconds 60
	./Tests/machines/damage.py --count 1000
	./Tests/machines/clocks.py
	./Tests/machines/many_clients.py --all
	@echo '== Building the daemon, release: the last machines need speed'
	swift build -c release --product quickactionsd
	QUICKACTIONSD=.build/release/quickactionsd ./Tests/machines/stalls.py
	QUICKACTIONSD=.build/release/quickactionsd ./Tests/machines/hostile.py --ids 10000000 --actions 100000

figures: build ## Measure start, memory and wake-ups of a daemon with nothing to do
	@echo '== Measuring'
	@./bench/figures.py

bench: build ## Hold the daemon against its socket's limit and Redis (ROUNDS=5, QUICK=1)
	@./scripts/install-dependencies.sh bench
	@echo '== Building the load tool, release'
	swift build -c release --static-swift-stdlib --product LoadTool
	@echo '== Measuring'
	./bench/bench.py $(if $(QUICK),--quick,--rounds $(ROUNDS)) $(BENCH)

profile: build ## Show the ten functions in which the daemon spends most time while it counts
	@./scripts/install-dependencies.sh profile
	@echo '== Building the load tool, release'
	swift build -c release --static-swift-stdlib --product LoadTool
	@echo '== Recording'
	./bench/profile.py

clean: ## Remove everything that was built
	@echo '== Removing what was built'
	swift package clean
	rm -rf .build-*

# Installing has a file of its own; the lines here only give its targets their words in the list.
-include install.mk
ifneq ($(wildcard install.mk),)
install: ## Install for the machine (PREFIX=/usr, DESTDIR=)
uninstall: ## Undo that, but for state and changed settings
install-user: ## Install for yourself, under your home folder
uninstall-user: ## Undo that
endif
