package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/runner/store/storetest"
	"github.com/seed-5817661a/concur/trace"
)

// record runs some queries over an endpoint and a search on the loopback, both of which
// are gone when it returns.
func record(t *testing.T, runs string, args ...string) (configuration string) {
	t.Helper()
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	endpoint := httptest.NewServer(serve.Handler(m, "reader"))
	defer endpoint.Close()
	wiki := httptest.NewServer(http.HandlerFunc(article))
	defer wiki.Close()
	configuration = filepath.Join(t.TempDir(), "concur.yaml")
	write(t, configuration, "model: mine:reader\nverifier: {model: mine:reader}\nagent: {tools: [planner, web_search, calc]}\nagents: {researcher: {tools: [web_search]}}\n"+
		"judge: {correctness: mine:reader, quality: mine:reader}\n"+
		"search: {cascade: [wikipedia], allow_private: true, urls: {wikipedia: \""+wiki.URL+"/w/api.php\"}}\n"+
		"providers:\n  mine: {kind: openai, base_url: \""+endpoint.URL+"/v1\", auth: {env: MINE_KEY}}\n")
	t.Setenv("MINE_KEY", "sk-mine-0123456789")
	code, _, errs := invoke(append([]string{"run", "--runs-dir", runs, "--quiet", "--seed", "3", "--config", configuration, "--limit", "4"}, args...)...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	os.Unsetenv("MINE_KEY")
	return configuration
}

// A replay needs neither key nor network and ends in equal results, in both protocols and with
// a sub-agent.
func TestReplay(t *testing.T) {
	for name, args := range map[string][]string{
		"native": {"--protocol", "native"}, "text": {"--protocol", "text"}, "agents": {"--tools", "planner,calc,researcher"},
	} {
		t.Run(name, func(t *testing.T) {
			recorded := t.TempDir()
			record(t, recorded, args...)
			first := newest(t, recorded)
			code, _, errs := invoke("run", "--runs-dir", recorded, "--quiet", "--replay", first.Dir)
			if code != exitOK {
				t.Fatalf("exit %d: %s", code, errs)
			}
			again := newest(t, recorded)
			if again.Dir == first.Dir || again.Manifest.ReplayOf != first.Manifest.Run {
				t.Fatalf("replay of %q in %s", again.Manifest.ReplayOf, again.Dir)
			}
			if diff := cmp.Diff(records(t, first), records(t, again)); diff != "" {
				t.Errorf("records (-recorded +replayed):\n%s", diff)
			}
			// And a replay can be replayed.
			if code, _, errs := invoke("run", "--runs-dir", recorded, "--quiet", "--replay", again.Dir); code != exitOK {
				t.Errorf("replay of a replay: exit %d: %s", code, errs)
			}
			if code, _, errs := invoke("run", "--runs-dir", recorded, "--quiet", "--resume", again.Dir); code != exitUsage || !strings.Contains(errs, "it is a replay of") {
				t.Errorf("resume of a replay: exit %d: %s", code, errs)
			}
		})
	}
}

// A request that is not the recorded one ends the replay and shows the difference; what is
// not recorded is asked only on demand.
func TestReplayThatLeavesItsRecording(t *testing.T) {
	runs := t.TempDir()
	record(t, runs)
	first := older(t, newest(t, runs))
	chat := filepath.Join(first.Dir, "chat.jsonl")
	raw, err := os.ReadFile(chat)
	if err != nil {
		t.Fatal(err)
	}
	whole := string(raw)
	write(t, chat, strings.Replace(whole, "You answer one question at a time", "You answered one question at a time", 1))
	code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "--replay", first.Dir, "--concurrency", "1")
	if code != exitInvalid || !strings.Contains(errs, "-You answered") || !strings.Contains(errs, "+You answer ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	lines := strings.SplitAfter(whole, "\n")
	write(t, chat, strings.Join(lines[:len(lines)/2], ""))
	code, _, errs = invoke("run", "--runs-dir", runs, "--quiet", "--replay", first.Dir)
	if code != exitInvalid || !strings.Contains(errs, "--record-missing") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "--replay", first.Dir, "-k", "5"); code != exitUsage || !strings.Contains(errs, "k: 3, now 5") {
		t.Errorf("another k: exit %d: %s", code, errs)
	}
	if code, _, errs := invoke("run", "--record-missing"); code != exitUsage || !strings.Contains(errs, "--replay") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// What is not recorded is asked with --record-missing, and the result is a whole run. Programs that the recording does
// not have run again.
func TestReplayRecordsWhatIsMissing(t *testing.T) {
	for name, of := range map[string][]string{
		"search": {"--limit", "6"}, "programs": {"code60", "--query", "loop-odd,string-shift", "-k", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			runs := t.TempDir()
			if code, _, errs := invoke(append([]string{"run", "--runs-dir", runs, "--quiet"}, of...)...); code != exitOK {
				t.Fatalf("exit %d: %s", code, errs)
			}
			first := older(t, newest(t, runs))
			want := records(t, first)
			for _, name := range []string{"chat.jsonl", "trace.jsonl"} {
				path := filepath.Join(first.Dir, name)
				raw, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				lines := strings.SplitAfter(string(raw), "\n")
				write(t, path, strings.Join(lines[:len(lines)*2/3], ""))
			}
			if code, _, _ := invoke("run", "--runs-dir", runs, "--quiet", "--replay", first.Dir); code != exitInvalid {
				t.Errorf("exit %d of a replay of a part", code)
			}
			code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "--replay", first.Dir, "--record-missing")
			if code != exitOK {
				t.Fatalf("exit %d: %s", code, errs)
			}
			got := records(t, newest(t, runs))
			for _, r := range slices.Concat(want, got) {
				for i := range r.Answers {
					r.Answers[i].Extras = trace.Extras{} // the length of a result, which has the time of its program
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("records (-recorded +replayed):\n%s", diff)
			}
		})
	}
}

// older makes of a run what a version wrote that summed no lines, for tests that change them.
func older(t *testing.T, run *store.Run) *store.Run {
	t.Helper()
	if err := storetest.MakeOlder(run.Dir); err != nil {
		t.Fatal(err)
	}
	return openedRun(t, run.Dir)
}

// newest is the run that began last, replays included, which never answer to latest.
func newest(t *testing.T, runs string) *store.Run {
	t.Helper()
	all, _, err := runlist.List(runs)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d runs in %s, %v", len(all), runs, err)
	}
	return all[0]
}
