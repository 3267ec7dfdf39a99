//go:build browser

package page_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// patience is how long one page may take on a machine that does much else.
const patience = 8 * time.Minute

// browser is a headless Chromium; a test without it is skipped.
func browser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium on this machine; on Debian, apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WSURLReadTimeout(patience))
	if os.Geteuid() == 0 { // as in a container, where Chromium refuses to start with its sandbox
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(t.Logf))
	t.Cleanup(stop)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return ctx
}

// visit is a page that is open, with what went wrong in it.
type visit struct {
	context.Context
	*testing.T
	allowed string // the beginning of addresses that it may ask for, beside its own
	mayFail bool   // it may be a page with words on what went wrong
	mu      sync.Mutex
	wrongs  []string
}

// openPage opens a file in a tab of its own.
func openPage(t *testing.T, in context.Context, file, fragment string) *visit {
	t.Helper()
	ctx, stop := chromedp.NewContext(in)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, patience)
	t.Cleanup(stop)
	v := &visit{Context: ctx, T: t}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	chromedp.ListenTarget(ctx, func(e any) {
		wrong := ""
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			wrong = "exception: " + e.ExceptionDetails.Error()
		case *runtime.EventConsoleAPICalled:
			wrong = "console: " + string(e.Type)
		case *log.EventEntryAdded:
			if wrong = "log: " + e.Entry.Text; v.mayFail {
				wrong = ""
			}
		case *network.EventRequestWillBeSent:
			if e.Request.URL != address && v.foreign(e) {
				wrong = "request of " + e.Request.URL
			}
		}
		if wrong != "" {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.wrongs = append(v.wrongs, wrong)
		}
	})
	v.do(network.Enable(), log.Enable(), runtime.Enable(), chromedp.Navigate(address+fragment))
	return v
}

func (v *visit) do(actions ...chromedp.Action) {
	v.Helper()
	if err := chromedp.Run(v.Context, actions...); err != nil {
		v.Fatal(err)
	}
}

// is checks that a JavaScript expression is true, or becomes true while the page does what it was told.
func (v *visit) is(what, expression string) {
	v.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var got bool
		v.do(chromedp.Evaluate("!!("+expression+")", &got))
		if got {
			return
		}
		if time.Now().After(end) {
			v.Errorf("not so: %s", what)
			return
		}
	}
}

// harmless checks that nothing went wrong, and that no text of others was executed.
func (v *visit) harmless() {
	v.Helper()
	v.is("no text of others is executed", "window.hit === undefined")
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, w := range v.wrongs {
		v.Errorf("in the page: %s", w)
	}
}

// screen sets the size of the window and the theme.
func (v *visit) screen(width, height int64, theme string) {
	v.do(emulation.SetDeviceMetricsOverride(width, height, 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}))
}

// overlaps lists pairs of texts and parts that lie over each other.
const overlaps = `(() => {
  const out = [];
  const check = (parts, slack) => {
    const boxes = parts.map((p) => [p, p.getBoundingClientRect()]).filter(([p, b]) => b.width && b.height && p.checkVisibility());
    for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
      const [p, a] = boxes[i], [q, b] = boxes[j];
      const x = Math.min(a.right, b.right) - Math.max(a.left, b.left), y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (x > slack && y > slack) out.push(p.textContent.trim().slice(0, 40) + " / " + q.textContent.trim().slice(0, 40));
    }
  };
  for (const svg of document.querySelectorAll("svg")) check([...svg.querySelectorAll("text")], 3);
  for (const parent of document.querySelectorAll("header, main, .figures, #filters, #filters fieldset, tr, .traces, .blocks, .block, .trace, .step, .evidence li, dl")) check([...parent.children], 1);
  return out;
})()`

// tidy checks that nothing overlaps or leaves the window to the right.
func (v *visit) tidy(what string) {
	v.Helper()
	var found []string
	v.do(chromedp.Evaluate(overlaps, &found))
	for _, f := range found[:min(5, len(found))] {
		v.Errorf("%s: overlap: %s", what, f)
	}
	var wide int
	v.do(chromedp.Evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth", &wide))
	if wide > 0 {
		v.Errorf("%s: the page is %d pixels wider than the window", what, wide)
	}
}

// installAxe is the source of axe-core, or "" where npm cannot bring it.
func installAxe(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Log("accessibility is not checked: there is no npm")
		return ""
	}
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), npm, "install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "axe-core@4.10.3").CombinedOutput()
	if err != nil {
		t.Logf("accessibility is not checked: npm: %v\n%s", err, out)
		return ""
	}
	source, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// accessible checks that axe finds no serious violation.
func (v *visit) accessible(what, source string) {
	v.Helper()
	if source == "" {
		return
	}
	var found []string
	v.do(chromedp.Evaluate(source+";0", nil), chromedp.Evaluate(`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations
	  .filter((x) => x.impact === "serious" || x.impact === "critical")
	  .map((x) => x.id + ": " + x.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + (n.any[0] || {}).message).join("\n  ")))`,
		&found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	for _, f := range found {
		v.Errorf("%s: axe: %s", what, f)
	}
}

// shoot writes what the window shows into the folder that CONCUR_SCREENSHOTS names.
func (v *visit) shoot(name string) {
	dir := os.Getenv("CONCUR_SCREENSHOTS")
	if dir == "" {
		return
	}
	var png []byte
	v.do(chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		v.Fatal(err)
	}
}

// command is the built concur, which runs in a folder of its own.
type command struct{ path, dir string }

func build(t *testing.T) command {
	t.Helper()
	c := command{filepath.Join(t.TempDir(), "concur"), t.TempDir()}
	out, err := exec.CommandContext(t.Context(), "go", "build", "-tags", "urfave_cli_no_docs", "-o", c.path, "../../cmd/concur").CombinedOutput()
	if err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return c
}

func (c command) run(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), c.path, args...)
	cmd.Dir = c.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("concur %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// ablationPage is the page of the offline ablation.
func (c command) ablationPage(t *testing.T) string {
	c.run(t, "ablate", "--format", "html", "--out", "ablation.html")
	return filepath.Join(c.dir, "ablation.html")
}

// comparisonPage is the page of two runs, of which the second lacks the calculator.
func (c command) comparisonPage(t *testing.T) string {
	c.run(t, "run", "--runs-dir", "before", "--category", "calculation")
	c.run(t, "run", "--runs-dir", "after", "--category", "calculation", "--without", "calc")
	names := make([]string, 2)
	for i, dir := range []string{"before", "after"} {
		found, err := filepath.Glob(filepath.Join(c.dir, dir, "*", "run.yaml"))
		if err != nil || len(found) != 1 {
			t.Fatalf("runs in %s: %v, %v", dir, found, err)
		}
		names[i] = filepath.Dir(found[0])
	}
	c.run(t, "compare", names[0], names[1], "--format", "html", "--out", "comparison.html")
	return filepath.Join(c.dir, "comparison.html")
}

func saved(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPagesInABrowser(t *testing.T) {
	in := browser(t)
	c := build(t)
	source := installAxe(t)
	for name, file := range map[string]string{"ablation": c.ablationPage(t), "comparison": c.comparisonPage(t), "hostile": saved(t, written(t, hostile(t))), "gate": saved(t, gated(t, hostile(t)))} {
		t.Run(name, func(t *testing.T) {
			v := openPage(t, in, file, "")
			for _, theme := range []string{"light", "dark"} {
				for _, width := range []int64{1280, 390} {
					what := fmt.Sprintf("%s-%s-%d", name, theme, width)
					v.do(chromedp.Evaluate("for (const d of document.querySelectorAll('details')) d.open = false; scrollTo(0, 0)", nil))
					v.screen(width, 1700, theme)
					v.tidy(what)
					v.shoot(what)
					v.do(chromedp.Evaluate("for (const d of [...document.querySelectorAll('.query')].slice(4, 6)) d.open = true; for (const d of document.querySelectorAll('figure details')) d.open = true", nil))
					v.tidy(what + " opened")
					if width == 1280 {
						v.accessible(what, source)
					}
					v.do(chromedp.Evaluate("document.querySelectorAll('.query')[4].scrollIntoView()", nil))
					v.shoot(what + "-open")
				}
			}
			v.harmless()
		})
	}
}

func TestPageByKeyboardAndMouse(t *testing.T) {
	in := browser(t)
	file := saved(t, written(t, ablation(t)))
	v := openPage(t, in, file, "")
	v.screen(1280, 900, "light")
	tab := func(until string) {
		t.Helper()
		for range 60 {
			v.do(chromedp.KeyEvent(kb.Tab))
			var there bool
			v.do(chromedp.Evaluate("(() => { const at = document.activeElement; return "+until+"; })()", &there))
			if there {
				return
			}
		}
		t.Fatalf("the tab key does not lead to %s", until)
	}
	const visible = "[...document.querySelectorAll('.grid tbody tr')].filter((r) => !r.hidden).map((r) => r.dataset.of).join()"

	tab("at.name === 'flipped'")
	v.do(chromedp.KeyEvent(" "))
	v.is("flipped queries alone are shown", visible+" === 'q1,q3'")
	v.is("sections are filtered with them", "document.getElementById('q2').hidden")
	v.is("the address tells", "location.hash === '#flipped=1'")
	tab("at.name === 'text'")
	v.do(chromedp.KeyEvent("q3"))
	v.is("of these, the one with the text", visible+" === 'q3'")
	tab("at.classList.contains('cell')")
	v.do(chromedp.KeyEvent(kb.ArrowRight))
	v.is("an arrow leads to the next cell", "document.activeElement.hash === '#q3b'")
	v.do(chromedp.KeyEvent(kb.Enter))
	v.is("enter opens the traces", "document.getElementById('q3').open && document.activeElement.id === 'q3b'")
	v.is("the address tells all", "location.hash === '#flipped=1&text=q3&open=q3b'")

	again := openPage(t, in, file, "#flipped=1&open=q1b")
	again.screen(1280, 900, "dark")
	again.is("an address brings the page back", visible+" === 'q1,q3' && document.getElementById('q1').open && document.querySelector('[name=flipped]').checked")
	again.do(chromedp.Click("[name=flipped]", chromedp.ByQuery), chromedp.Click(`.cell[href="#q2a"]`, chromedp.ByQuery))
	again.is("a click opens the traces", "document.getElementById('q2').open")
	again.do(chromedp.Click("#q2 .evidence button", chromedp.ByQuery))
	again.is("a click shows the document", "document.getElementById('doc1').matches(':popover-open')")
	again.do(chromedp.KeyEvent(kb.Escape))
	again.is("escape hides it", "!document.getElementById('doc1').matches(':popover-open')")
	v.harmless()
	again.harmless()

	plain := openPage(t, in, "/dev/null", "")
	plain.do(emulation.SetScriptExecutionDisabled(true), chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()+"#q1b"))
	var text string
	plain.do(chromedp.Text("#q1", &text, chromedp.ByQuery, chromedp.NodeVisible))
	if !strings.Contains(text, "Search first.") {
		t.Errorf("without script, a link does not open the traces: %q", text)
	}
}

// The time is printed, never asserted.
func TestOpeningALargePage(t *testing.T) {
	var records []store.Record
	var traces [][]trace.Event
	for i := range 1000 {
		id := fmt.Sprintf("q%04d", i)
		answers := []string{"right", "right", "wrong"}
		if i%3 == 0 {
			answers[0] = "wrong"
		}
		records = append(records, record("one", id, answers...))
		for j, a := range answers {
			e := events(trace.ID{Agent: "agent of one", Query: id, Trace: j}, trace.Document{ID: "corpus_1", Title: id, Snippet: strings.Repeat("words ", 60)}, a)
			for step := range 5 {
				e = append(e, trace.Event{ID: e[0].ID, Step: 2 + step, Body: trace.Thought{Content: strings.Repeat(fmt.Sprint("thought ", j, " "), 40)}})
			}
			traces = append(traces, e)
		}
	}
	m := manifest("run-large", 1000, "one")
	m.Configurations[0].K = 3
	text := written(t, stored(t, m, records, traces...))
	v := openPage(t, browser(t), saved(t, text), "")
	var took, paint float64
	v.do(chromedp.Evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd", &took), chromedp.Evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime", &paint))
	t.Logf("a page of %.1f MB shows itself after %.0f ms and is whole after %.0f ms", float64(len(text))/1e6, paint, took)
	v.harmless()
}

// TestScreenshot makes the picture of the README in the file that CONCUR_SCREENSHOT names.
func TestScreenshot(t *testing.T) {
	to := os.Getenv("CONCUR_SCREENSHOT")
	if to == "" {
		t.Skip("CONCUR_SCREENSHOT names no file")
	}
	v := openPage(t, browser(t), build(t).ablationPage(t), "")
	v.screen(1200, 1180, "light")
	var png []byte
	v.do(chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(to, png, 0o644); err != nil {
		t.Fatal(err)
	}
	if len(png) > 200<<10 {
		t.Errorf("the picture has %d bytes, more than 200 KB", len(png))
	}
}
