# Every target is one line of work; `make test` is the whole gate that needs no network beyond modules.
BIN     := bin
DIR     ?= .
LINT    := .ci/bin/golangci-lint
GO      ?= go

.PHONY: build demo test check-tools lint unit arch golden fuzz clients bench bench-baseline fmt corpus clean

# The commit that is checked out, with a + where it was changed; nothing outside a clone.
COMMIT = $(shell git rev-parse HEAD 2>/dev/null && git diff --quiet HEAD 2>/dev/null || echo +)

build: check-tools
	$(GO) build -buildvcs=auto -trimpath -ldflags "-X main.commit=$(subst $() $(),,$(COMMIT))" -o $(BIN)/ ./cmd/...

demo: build
	$(BIN)/ralph-index demo $(if $(V),--verbose) "$(DIR)"

test: check-tools arch lint unit

check-tools:
	@command -v $(GO) >/dev/null || { echo "ralph-index needs Go 1.26 or newer: install it and put 'go' on PATH" >&2; exit 1; }
	@command -v "$$($(GO) env CC)" >/dev/null || { echo "ralph-index needs a C compiler (grammars are C): install gcc or clang, e.g. 'apt-get install gcc libc6-dev'" >&2; exit 1; }

unit:
	$(GO) test -race -shuffle=on -timeout 15m ./...

arch:
	$(GO) test -count=1 ./engine/internal/archtest

lint: $(LINT)
	$(LINT) run ./...
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run make fmt" >&2; exit 1; }

$(LINT): .ci/tools/go.mod
	cd .ci/tools && GOFLAGS= $(GO) build -o ../bin/ tool

fmt:
	gofmt -w $$(git ls-files '*.go')

# Only packages with golden files have the flag.
golden:
	$(GO) test $$(git grep -l 'flag.Bool("update"' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's,^,./,') -update

fuzz:
	.ci/fuzz 10s

# Clients of other makers, from npm, drive every tool over stdio and HTTP.
clients: build
	.ci/clients/run $(BIN)/ralph-index

bench: build
	$(BIN)/ralph-bench all

bench-baseline: build
	$(BIN)/ralph-bench all --out bench/baseline

corpus: build
	$(BIN)/ralph-bench fetch

clean:
	rm -rf $(BIN) .ci/bin .ci/clients/node_modules
