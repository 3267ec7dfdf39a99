package view_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/runner/store"
)

func TestPages(t *testing.T) {
	dir := t.TempDir()
	plainRun(t, dir, "run-1", start)
	plainRun(t, dir, "run-2", start.Add(time.Hour))
	write(t, filepath.Join(dir, "run-2", "gate.json"), `{"schema":"concur/gate/v2","decision":"REGRESSION","reasons":["q2 is broken"]}`)
	write(t, filepath.Join(dir, "run-2", "gate.weekly.json"), `{"as":"weekly","decision":"PASS"}`)
	write(t, filepath.Join(dir, "run-2", "gate-default.json"), `{"decision":`)
	s := served(t, dir)
	s.has("/", "run-1", "run-2", "offline:reader 67 % (21–94 %)", "complete", "REGRESSION", "PASS weekly", "unreadable gate-default.json", "Pass rates of 2 runs", "with the one before")
	s.has("/run/run-2/", "gate: REGRESSION q2 is broken", "offline:reader is right on 2 of 3 queries", "a text on two", "trace 0")
	s.has("/run/run-1/queries", "1–3 of 3 queries", "What is the second?", "wrong two offline:reader")
	s.has("/run/run-1/queries?failed=1", "1–1 of 1 query, chosen of 3", "q2")
	s.has("/run/run-1/queries?find=Q3", "1–1 of 1 query, chosen of 3", "What is the third?")
	s.has(traceOf("run-1", "q2"), "What is the second?", "I think about a text on two",
		"Request 1 Settings and tools of the request", `"model": "m"`, "system You answer questions. a text on two user What is the second?",
		"Reply assistant thought a text on two I look it up. call web_search call_1 {\"query\":\"q2\"}",
		"Request 2 Settings as before 3 messages sent before, sent again first system user assistant tool call_1 found: a text on two",
		"Reply assistant Answer: two", "Verifier and judges", "Is this right? a text on two", "Error a text on two")
	s.has("/compare?before=run-1&after=run-2", "run run-2 against run-1")
	named := manifest("run-2-named", 3, start.Add(2*time.Hour))
	named.Title = "good-1"
	fresh := manifest("run-2-named-fresh", 3, start.Add(3*time.Hour))
	fresh.FreshOf = named.Run
	orphan := manifest("gone-fresh", 3, start.Add(3*time.Hour))
	orphan.FreshOf = "gone"
	for _, m := range []store.Manifest{named, fresh, orphan} {
		if err := created(t, dir, m).Finish(store.Interrupted, start); err != nil {
			t.Fatal(err)
		}
	}
	s.has("/", "good-1 run-2-named 2026", "run fresh traces run-2-named-fresh offline:reader", "gone-fresh 2026", "fresh offline:reader")
	if text := words(t, s.page("/")); strings.Contains(text, "run-2-named-fresh 2026") {
		t.Errorf("fresh traces have a row of their own: %s", text)
	}
	m := manifest("run-3", 3, start)
	w := created(t, dir, m)
	converse(w, m, threeQueries[0])
	if err := w.Finish(store.Interrupted, start); err != nil {
		t.Fatal(err)
	}
	s.has("/run/run-3/", "interrupted", "without an end 1 traces", "0 of 3")
	for _, folder := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		served(t, folder).has("/", "There are no runs in this folder")
	}
}

// attacks mean to get out of where they stand.
var attacks = []string{
	"</script><script>window.hit=1</script>", `"><img src=x onerror="window.hit=1">`, "javascript:window.hit=1", "</style><style>*{display:none}</style>",
	`<svg onload="window.hit=1"><a href="javascript:window.hit=1">x</a></svg>`, "</pre></details></main><script>window.hit=1</script>", "{{.Body}}", "-->", "&lt;b&gt;",
	"a\x00b\x1b[31mc\u202egnp.exe\u2066", "\xff\xfe invalid", `" onclick="window.hit=1" x="`, "<base href=//evil>", "<meta http-equiv=refresh content=0;url=//evil>", "event: end\ndata: x\n\n",
}

// hostileRun has attacks in every text that others write, and if it is run-2, texts of a
// megabyte. The run goes on if it is not completed.
func hostileRun(t testing.TB, dir, name string) *store.Writer {
	all := strings.ToValidUTF8(strings.Join(attacks, " "), "?")
	m := manifest(name, len(attacks), start)
	m.Dataset.Name, m.Configurations[0].Name = all, all
	m.Configurations[0].Agent = all
	w := created(t, dir, m)
	for i, text := range attacks {
		solve(w, m, sentence{text, text, text, text}, false)
		if i == 0 && name == "run-2" {
			converse(w, m, sentence{text, text, text, strings.Repeat(text, 1<<20/len(text))})
		}
	}
	return w
}

// crawl visits every page that can be reached from one, and reports each.
func crawl(s site, from string, visit func(path, text string)) {
	s.Helper()
	known := map[string]bool{from: true}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		text := s.page(queue[0])
		visit(queue[0], text)
		for _, a := range addresses(s, text) {
			path, ours := strings.CutPrefix(a, s.root)
			if !ours {
				s.Errorf("%s: an address leads to %q", queue[0], a)
				continue
			}
			u, err := url.Parse(path)
			if err != nil {
				s.Errorf("%s: an address is %q: %v", queue[0], a, err)
				continue
			}
			kind := filepath.Ext(u.Path) + filepath.Base(u.Path)
			if known[path] || strings.Contains(kind, "events") || strings.Contains(kind, ".css") || strings.Contains(kind, ".js") || u.Path == "/compare" && u.RawQuery == "" {
				continue
			}
			known[path] = true
			queue = append(queue, path)
		}
	}
}

// What others wrote stays text on every page, whatever it is: pages have no elements and no
// attributes but those of an honest run, and no script or style of their own.
func TestHostileRun(t *testing.T) {
	shapes := func(hostile bool) map[string]bool {
		dir := t.TempDir()
		if hostile {
			ended, open := hostileRun(t, dir, "run-1"), hostileRun(t, dir, "run-2")
			completed(t, ended)
			for _, w := range []*store.Writer{ended, open} {
				write(t, filepath.Join(w.Dir(), "gate.json"),
					`{"decision":"</b><script>window.hit=1</script>","reasons":["<img src=x onerror=window.hit=1>"]}`)
			}
			t.Cleanup(func() {
				err := open.Finish(store.Interrupted, start)
				if err == nil || !strings.Contains(err.Error(), "gate.json was changed") {
					t.Errorf("a gate.json from elsewhere: %v", err)
				}
			})
		} else {
			plainRun(t, dir, "run-1", start)
			m := manifest("run-2", 9, start)
			w := created(t, dir, m)
			solve(w, m, threeQueries[0], true)
			if err := w.Finish(store.Interrupted, start); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(w.Dir(), "gate.json"), `{"decision":"PASS","reasons":["fine"]}`)
		}
		out := map[string]bool{}
		pages := 0
		crawl(served(t, dir), "/", func(path, text string) {
			pages++
			for n := range parsed(t, text).Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				out[n.Data] = true
				for _, a := range n.Attr {
					out["@"+a.Key] = true
				}
				if n.Data == "style" || n.Data == "script" && n.FirstChild != nil {
					t.Errorf("%s has a %s of its own", path, n.Data)
				}
			}
			for _, r := range text {
				if r != '\n' && r != '\t' && (unicode.IsControl(r) || r == '\u202e' || r == '\u2066') {
					t.Errorf("%s has the character %U", path, r)
					break
				}
			}
			if len(text) > 32<<20 {
				t.Errorf("%s has %d bytes", path, len(text))
			}
		})
		if hostile && pages < len(attacks) {
			t.Errorf("only %d pages were reached", pages)
		}
		return out
	}
	honest := shapes(false)
	for name := range shapes(true) {
		if !honest[name] && name != "details" {
			t.Errorf("a page has %s, which those of honest runs have not", name)
		}
	}
}

// Runs that are deleted, cut or changed while they are viewed are refused in words.
func TestDamageWhileViewed(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(t *testing.T, run string)
		status map[string]int
		text   string
	}{
		"deleted": {func(t *testing.T, run string) {
			if err := os.RemoveAll(run); err != nil {
				t.Fatal(err)
			}
		}, map[string]int{"/run/run-1/": 410, "/run/run-1/queries": 410, traceOf("run-1", "q1"): 410}, "was deleted or moved"},
		"a file deleted": {func(t *testing.T, run string) {
			if err := os.Remove(filepath.Join(run, "trace.jsonl")); err != nil {
				t.Fatal(err)
			}
		}, map[string]int{"/run/run-1/": 410, "/run/run-1/queries": 410, traceOf("run-1", "q1"): 410}, "trace.jsonl"},
		"cut": {func(t *testing.T, run string) {
			for _, name := range []string{"trace.jsonl", "results.jsonl"} {
				info, err := os.Stat(filepath.Join(run, name))
				if err == nil {
					err = os.Truncate(filepath.Join(run, name), info.Size()-20)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}, map[string]int{"/run/run-1/": 409, "/run/run-1/queries": 409, traceOf("run-1", "q1"): 409}, "cut off"},
		"unsealed": {func(t *testing.T, run string) { replace(t, filepath.Join(run, "run.yaml"), "seed: 1", "seed: 2") },
			map[string]int{"/run/run-1/": 409, "/run/run-1/queries": 409, traceOf("run-1", "q1"): 409}, "was changed since it began"},
		"no manifest": {func(t *testing.T, run string) { write(t, filepath.Join(run, "run.yaml"), "\x00") },
			map[string]int{"/run/run-1/": 409, traceOf("run-1", "q1"): 409}, "run.yaml"},
		"a bit changed": {func(t *testing.T, run string) {
			replace(t, filepath.Join(run, "results.jsonl"), "What is the first?", "What is the worst?")
		}, map[string]int{"/run/run-1/": 409, "/run/run-1/queries": 409}, "checksum"},
		"a damaged summary": {func(t *testing.T, run string) { write(t, filepath.Join(run, "summary.json"), "{") },
			map[string]int{"/run/run-1/": 200, traceOf("run-1", "q1"): 200}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			plainRun(t, dir, "run-1", start)
			s := served(t, dir)
			s.page("/run/run-1/")
			s.page(traceOf("run-1", "q1"))
			c.damage(t, filepath.Join(dir, "run-1"))
			for path, want := range c.status {
				status, _, text := s.ask(s.root+path, nil)
				if status != want || !strings.Contains(words(t, text), c.text) {
					t.Errorf("%s: status %d, want %d with %q: %.400s", path, status, want, c.text, words(t, text))
				}
			}
			s.page("/") // the others can still be looked at
		})
	}
}

func replace(t *testing.T, path, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(raw), from, to, 1)
	if text == string(raw) {
		t.Fatalf("%s lacks %q", path, from)
	}
	write(t, path, text)
}
