# Everything a developer runs, by name. `make help` lists the targets.

TOOLS := $(CURDIR)/.cache/tools
RACE  := ./internal/store/... ./internal/accounts/... ./internal/httpapi/... ./internal/auth/... ./internal/webhooks/... ./internal/search/...

# SQLite is translated from C and not ours to search for races, and the race
# detector makes it several times slower.
UNWATCHED := -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false

# The product is pure Go; only the race detector needs a C compiler.
export CGO_ENABLED := 0

# FUZZTIME is the time for each fuzz target. BENCH_ONLY lists the parts to measure,
# such as auth,search; empty means all. BENCH_FLAGS are further flags of octavobench
# run. BENCH_SHORT=1 only tries everything out. BENCH_GROWTH lists numbers of pages
# to measure in addition to the usual one.
FUZZTIME     ?= 30s
BENCH_ONLY   ?=
BENCH_FLAGS  ?=
BENCH_SHORT  ?=
BENCH_GROWTH ?= 1000,100000,1000000

# SEED is the random seed of chaos and soak. CHAOS is how long chaos breaks three
# processes at once, and CHAOS_ONLY names its tests; empty means all. SOAK is the
# duration of each part of soak.
SEED       ?= 1
CHAOS      ?= 5m
CHAOS_ONLY ?=
SOAK       ?= 30m

.DEFAULT_GOAL := help
.PHONY: help run build test dependencies check static tools fuzz chaos soak bench release-check previous generate clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 15

run: build ## serve this repository's own documentation
	bin/octavo serve --demo

# Without -trimpath, which only releases need: tests can use what this compiles.
build: ## build bin/octavo, one static binary
	go build -ldflags "-s -w" -o bin/octavo ./cmd/octavo

# Vet runs with the tests, in the time that they wait. Nothing here is built with
# -trimpath, so that the tools and the tests share what is compiled.
test: ## install what tests need, then run every check and test
	@$(MAKE) --no-print-directory --jobs=2 --output-sync dependencies static
	@scripts/stage studio scripts/test-studio
	@scripts/stage deploy scripts/check-deploy
	@scripts/stage s3-server scripts/install-versitygw
	@scripts/stage pdf-reader scripts/install-pdfcpu
	@scripts/stage tests env OCTAVO_TEST_REQUIRE=postgres,chromium,strace,disk,s3,node,python,pdf,systemd,promtool,nginx \
		scripts/with-postgres scripts/with-s3 go test -vet=all -timeout 15m ./...
	@scripts/stage race env CGO_ENABLED=1 OCTAVO_TEST_REQUIRE=postgres,chromium,s3 \
		scripts/with-postgres scripts/with-s3 go test -race -vet=off -short -timeout 15m $(UNWATCHED) $(RACE)
	@scripts/stage walks scripts/test-studio walks
	@scripts/stage clients scripts/test-clients
	@scripts/stage previous scripts/with-postgres scripts/previous-version
	@scripts/stage generator go -C bench test ./internal/load/... ./internal/report/... ./internal/results/... ./internal/gobench/...

# A separate target, so that test can download while static uses the processors.
dependencies:
	@scripts/stage dependencies scripts/test-deps

check: static ## run the static checks of test, golangci-lint, and clients by many generators
	@scripts/stage vet go vet ./...
	@scripts/stage lint-build env GOBIN=$(TOOLS) go -C tools/lint install tool
	@scripts/stage lint $(TOOLS)/golangci-lint run ./...
	@scripts/stage generators scripts/test-generators

static: tools ## run gofumpt and staticcheck
	@scripts/stage format scripts/formatted $(TOOLS)/gofumpt
	@scripts/stage staticcheck $(TOOLS)/staticcheck ./...

tools: ## build the pinned development tools into .cache/tools
	@scripts/stage tools env GOBIN=$(TOOLS) go -C tools install tool

fuzz: ## fuzz every target for FUZZTIME each (30s)
	scripts/fuzz $(FUZZTIME)

chaos: ## break the program at length, in every way; leaves .cache/chaos-SEED.txt, and CHAOS_ONLY names tests
	@mkdir -p .cache
	scripts/with-postgres scripts/with-s3 go test ./internal/faulttest -v -timeout 180m -run '$(CHAOS_ONLY)' -skip 'Linearizable|StaysFlat' \
		-seed $(SEED) -rounds 50 -outages 20 -cuts 300 -idle 10000 -wait -points 200 -losses 200 \
		-chaos $(CHAOS) -report $(CURDIR)/.cache/chaos-$(SEED).txt

soak: build ## a steady load and sequences of requests for SOAK each (30m), and two minutes at random under the race detector
	scripts/with-postgres go test ./internal/faulttest -v -timeout 120m -run StaysFlat -soak $(SOAK)
	scripts/with-postgres go test ./internal/fuzztest -v -timeout 120m -seed $(SEED) -for $(SOAK)
	CGO_ENABLED=1 scripts/with-postgres go test ./internal/faulttest -race -v -timeout 30m -run Linearizable \
		-seed $(SEED) -mix 2m
	SEED=$(SEED) ROUNDS=200 node --test studio/walks/lost.test.mjs

bench: ## measure every part beside bounds and peers, into bench/RESULTS.md
	@mkdir -p .cache/bench
	go -C bench build -o ../.cache/bench/octavobench ./cmd/octavobench
ifeq ($(BENCH_SHORT),)
	cd bench && ../.cache/bench/octavobench run $(if $(BENCH_ONLY),--only $(BENCH_ONLY)) --growth $(BENCH_GROWTH) $(BENCH_FLAGS) --out results.json; \
		status=$$?; ../.cache/bench/octavobench report --from results.json --out RESULTS.md && exit $$status
else
	cd bench && ../.cache/bench/octavobench run $(if $(BENCH_ONLY),--only $(BENCH_ONLY)) --short $(BENCH_FLAGS) --out ../.cache/bench/short.json; \
		status=$$?; ../.cache/bench/octavobench report --from ../.cache/bench/short.json --out - && exit $$status
endif

release-check: ## build the checked-out commit twice, compare, and write its bill of materials
	scripts/release-check

previous: ## run the version before this one on the schema of this one
	scripts/previous-version
	scripts/with-postgres scripts/previous-version

generate: ## write generated files anew from their sources
	go generate ./...
	go -C tools/studio run .
	go -C tools/release run . licences >.licences && mv .licences docs/licences.md

clean: ## remove what the build and the tools left in this folder
	rm -rf bin .cache api/clienttest/*/octavoapi
