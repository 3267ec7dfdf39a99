//go:build browser

package page_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/seed-5817661a/concur/reports/view"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// viewed serves a folder of runs to the browser, and returns the address of the list.
func viewed(t *testing.T, runsDir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	o := view.Options{RunsDir: runsDir, Token: view.NewToken(), Poll: 10 * time.Millisecond}
	ended := make(chan error, 1)
	go func() { ended <- view.Serve(ctx, l, o) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return view.Address(l.Addr(), o.Token, "")
}

// go to an address of the viewer. Requests may only be of its own addresses.
func (v *visit) goTo(base, path string) {
	v.Helper()
	v.allowed = base
	v.do(chromedp.Navigate(base+path), chromedp.WaitReady("main"))
}

// waits until a JavaScript expression is true, in whatever page the tab shows by then.
func (v *visit) waits(what, expression string) {
	v.Helper()
	for is := false; !is; {
		if err := chromedp.Run(v.Context, chromedp.Sleep(20*time.Millisecond), chromedp.Evaluate("!!("+expression+")", &is)); err != nil {
			is = false // a page that is being left has nothing to evaluate
		}
		if v.Context.Err() != nil {
			v.Fatalf("not so in the end: %s", what)
		}
	}
}

func TestViewerInABrowser(t *testing.T) {
	in := browser(t)
	source := installAxe(t)
	c := build(t)
	c.run(t, "ablate")
	c.run(t, "run", "--limit", "8", "--seed", "1")
	c.run(t, "run", "--limit", "8", "--seed", "2", "--without", "calc")
	honest := filepath.Join(c.dir, "runs")
	list, _, err := runlist.List(honest)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d runs, %v", len(list), err)
	}
	first := url.PathEscape(filepath.Base(list[0].Dir))
	query := url.Values{}
	for e, err := range list[0].Events() {
		if err != nil {
			t.Fatal(err)
		}
		query = url.Values{"agent": {e.Agent}, "query": {e.Query}, "trace": {"0"}}
		break
	}
	bad := hostile(t)
	worst := url.Values{"agent": {bad.Manifest.Configurations[0].Agent}, "query": {fmt.Sprint(0, attacks[0])}, "trace": {"0"}}
	base, badBase := viewed(t, honest), viewed(t, filepath.Dir(bad.Dir))
	badRun := url.PathEscape(filepath.Base(bad.Dir))
	for name, p := range map[string][2]string{
		"list":            {base, ""},
		"report":          {base, "run/" + first + "/"},
		"queries":         {base, "run/" + first + "/queries"},
		"trace":           {base, "run/" + first + "/trace?" + query.Encode()},
		"problem":         {base, "run/nothing/"},
		"compare":         {base, "compare?" + url.Values{"before": {filepath.Base(list[1].Dir)}, "after": {filepath.Base(list[0].Dir)}}.Encode()},
		"hostile-list":    {badBase, ""},
		"hostile-report":  {badBase, "run/" + badRun + "/"},
		"hostile-queries": {badBase, "run/" + badRun + "/queries"},
		"hostile-trace":   {badBase, "run/" + badRun + "/trace?" + worst.Encode()},
	} {
		t.Run(name, func(t *testing.T) {
			v := openPage(t, in, "/dev/null", "")
			v.mayFail = name == "problem" // which the browser reports as a page with status 404
			v.goTo(p[0], p[1])
			for _, theme := range []string{"light", "dark"} {
				for _, width := range []int64{1280, 390} {
					if reports := strings.HasSuffix(name, "report") || name == "compare"; reports && (theme != "light" || width != 1280) {
						continue // which TestPagesInABrowser looks at
					}
					what := fmt.Sprintf("view-%s-%s-%d", name, theme, width)
					v.do(chromedp.Evaluate("for (const d of document.querySelectorAll('details')) d.open = false; scrollTo(0, 0)", nil))
					v.screen(width, 1400, theme)
					v.tidy(what)
					v.shoot(what)
					v.do(chromedp.Evaluate("for (const d of [...document.querySelectorAll('details')].slice(0, 12)) d.open = true", nil))
					v.tidy(what + " opened")
					if width == 1280 {
						v.accessible(what, source)
					}
					v.do(chromedp.Evaluate("(document.getElementById('sent') || document.body).scrollIntoView()", nil))
					v.shoot(what + "-open")
				}
			}
			v.harmless()
		})
	}
}

// From the list one gets to a trace by keyboard and by mouse, and to a comparison by the form.
func TestViewerByKeyboardAndMouse(t *testing.T) {
	in := browser(t)
	dir := filepath.Dir(ablation(t).Dir)
	base := viewed(t, dir)
	v := openPage(t, in, "/dev/null", "")
	v.screen(1280, 900, "light")
	v.goTo(base, "")
	v.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab))
	v.is("the tab key leads to the run", "document.activeElement.getAttribute('href').endsWith('/run/run-1/')")
	v.do(chromedp.KeyEvent(kb.Enter))
	v.waits("enter opens the run", "document.querySelector('.grid')")
	v.do(chromedp.Click(`.cell[href="#q2a"]`, chromedp.ByQuery))
	v.is("the report's script works", "document.getElementById('q2').open")
	v.do(chromedp.Click("#q2 .trace h4 a", chromedp.ByQuery))
	v.waits("a click opens the trace", "document.getElementById('sent')")
	v.do(chromedp.Click(".evidence button", chromedp.ByQuery))
	v.is("a click shows the document", "document.getElementById('doc1').matches(':popover-open')")
	v.do(chromedp.KeyEvent(kb.Escape), chromedp.Click(`.back a:last-child`, chromedp.ByQuery))
	v.waits("a link leads to the queries", "document.querySelector('form.choose')")
	v.do(chromedp.Click("[name=failed]", chromedp.ByQuery), chromedp.Focus("[name=find]", chromedp.ByQuery), chromedp.KeyEvent("Q3"), chromedp.KeyEvent(kb.Enter))
	v.waits("the form filters", "location.search.includes('find=Q3') && document.querySelectorAll('section.asked').length === 1")
	v.harmless()
}

// The figures of a run that goes on change without the page being loaded again, and its end
// shows the way to the report.
func TestViewerOfARunThatGoesOnInABrowser(t *testing.T) {
	in := browser(t)
	dir := t.TempDir()
	w, err := store.Create(dir, manifest("run-1", 2, "one"))
	if err != nil {
		t.Fatal(err)
	}
	put := func(query, answer string) {
		for n := range 2 {
			for _, e := range events(trace.ID{Agent: "agent of one", Query: query, Trace: n}, trace.Document{ID: "corpus_1", Title: "t"}, answer) {
				w.Event(e)
			}
		}
		w.Record(record("one", query, answer, answer))
	}
	put("q1", "right")
	base := viewed(t, dir)
	list, run := openPage(t, in, "/dev/null", ""), openPage(t, in, "/dev/null", "")
	list.goTo(base, "")
	run.goTo(base, "run/run-1/")
	for _, v := range []*visit{list, run} {
		v.do(chromedp.Evaluate("window.same = true", nil))
		v.waits("the first query is done", "document.querySelector('main').textContent.includes('1 of 2')")
	}
	source := installAxe(t)
	for _, width := range []int64{1280, 390} {
		for _, theme := range []string{"light", "dark"} {
			run.screen(width, 700, theme)
			run.tidy("progress")
			run.accessible("progress", source)
			run.shoot(fmt.Sprintf("view-progress-%s-%d", theme, width))
		}
	}
	put("q2", "wrong")
	run.waits("both queries are done", "document.querySelector('main').textContent.includes('2 of 2')")
	run.is("the rate follows", "document.querySelector('main').textContent.includes('50 % (9–91 %)')")
	if err := w.Finish(store.Complete, start.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	run.waits("the end shows the way to the report", "!document.getElementById('ended').hidden")
	list.waits("the list says that the run is complete", "document.querySelector('.runs').textContent.includes('complete')")
	for _, v := range []*visit{list, run} {
		v.is("the page was not loaded again", "window.same")
		v.harmless()
	}
	run.do(chromedp.Click("#ended a", chromedp.ByQuery))
	run.waits("the report is shown", "document.querySelector('.grid')")
}

// foreign reports whether a page may not send a request.
func (v *visit) foreign(e *network.EventRequestWillBeSent) bool {
	return v.allowed == "" || !strings.HasPrefix(e.Request.URL, v.allowed)
}
