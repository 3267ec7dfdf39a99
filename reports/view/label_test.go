package view_test

import (
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/view"
	"github.com/seed-5817661a/concur/runner/store"
)

// labelled serves a run of three answers with a form for labels.
func labelled(t *testing.T) (site, *view.Labelling, *store.Run) {
	t.Helper()
	dir := t.TempDir()
	plainRun(t, dir, "run-1", start)
	plainRun(t, dir, "run-2", start)
	run, err := store.Open(filepath.Join(dir, "run-1"))
	if err != nil {
		t.Fatal(err)
	}
	records, err := run.Sorted()
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		records[i].Consensus.Representative = new(0)
	}
	order, err := labels.Order(records, 1, true)
	if err != nil || len(order) != 3 {
		t.Fatalf("%d answers: %v", len(order), err)
	}
	l := &view.Labelling{Run: "run-1", Author: "Ada <ada@example.org>", Order: order}
	return servedBy(t, view.Options{RunsDir: dir, Label: l}), l, run
}

const labelPage = "/run/run-1/label"

// form returns the fields of the form of a page that a person would send with a button.
func form(t *testing.T, page string, verdict, reason string) url.Values {
	t.Helper()
	fields, method := url.Values{"verdict": {verdict}, "reason": {reason}}, ""
	for n := range parsed(t, page).Descendants() {
		of := map[string]string{}
		for _, a := range n.Attr {
			of[a.Key] = a.Val
		}
		switch {
		case n.Type == html.ElementNode && n.Data == "form":
			method = of["method"]
		case n.Type == html.ElementNode && n.Data == "input" && of["type"] == "hidden":
			fields.Set(of["name"], of["value"])
		}
	}
	if method != "post" || fields.Get("query") == "" {
		t.Fatalf("the page has no form:\n%s", page)
	}
	return fields
}

// send sends a form as a browser does.
func (s site) send(path string, fields url.Values, change func(*http.Request)) (int, string) {
	s.Helper()
	status, _, text := s.ask(path, func(r *http.Request) {
		r.Method = http.MethodPost
		r.Header.Set("Origin", s.base)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Body = io.NopCloser(strings.NewReader(fields.Encode()))
		if change != nil {
			change(r)
		}
	})
	return status, text
}

func labelsOf(t *testing.T, run *store.Run) []store.Label {
	t.Helper()
	all, err := run.Labels()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A person labels all answers, sees a verdict, changes a label, and gives reasons.
func TestLabel(t *testing.T) {
	s, l, run := labelled(t)
	first := l.Order[0].Record.Query
	page := s.page(labelPage)
	if text := words(t, page); !strings.Contains(text, "0 of 3 answers labelled") || strings.Contains(text, "by gold") {
		t.Errorf("the first page: %s", text)
	}
	status, next := s.send(s.root+labelPage, form(t, page, "incorrect", " it is\x07not\n"), nil)
	if text := words(t, next); status != 200 || !strings.Contains(text, "1 of 3 answers labelled") ||
		!strings.Contains(text, first+" is wrong change it") {
		t.Errorf("status %d: %s", status, text)
	}
	second := l.Order[1].Record.Query
	seen := s.page(labelPage + "?verdict=1")
	if text := words(t, seen); !strings.Contains(text, " by gold: a text on ") || !strings.Contains(text, second) {
		t.Errorf("the verdict is not shown: %s", text)
	}
	s.send(s.root+labelPage, form(t, s.page(labelPage), "correct", ""), nil)
	s.send(s.root+labelPage, form(t, s.page(labelPage), "unscored", ""), nil)
	s.has(labelPage, "3 of 3 answers labelled", "All answers are labelled")
	again := s.page(labelPage + "?query=" + first + "&of=default")
	if text := words(t, again); !strings.Contains(text, "Labelled by Ada <ada@example.org> before: incorrect") {
		t.Errorf("the label is not shown: %s", text)
	}
	s.send(s.root+labelPage, form(t, again, "correct", ""), nil)
	got := labelsOf(t, run)
	if len(got) != 4 || l.Given() != 4 {
		t.Fatalf("%d labels, %d given", len(got), l.Given())
	}
	for i, want := range []struct {
		query   string
		verdict judge.Ruling
		reason  string
		seen    bool
	}{
		{first, judge.Incorrect, "it is not", false}, {second, judge.Correct, "", true},
		{l.Order[2].Record.Query, judge.Unscored, "", false}, {first, judge.Correct, "", false},
	} {
		g := got[i]
		if g.Query != want.query || g.Verdict != want.verdict || g.Reason != want.reason || g.Seen != want.seen ||
			g.Author != l.Author || g.Draw == nil || !g.Draw.Uniform || g.Configuration != "default" || g.Time.IsZero() {
			t.Errorf("label %d: %+v, want %+v", i, g, want)
		}
	}
}

// Of two tabs with the same answer, the one that comes later shows the label of the other.
func TestLabelInTwoTabs(t *testing.T) {
	s, _, run := labelled(t)
	one, two := s.page(labelPage), s.page(labelPage)
	s.send(s.root+labelPage, form(t, one, "correct", ""), nil)
	status, text := s.send(s.root+labelPage, form(t, two, "incorrect", ""), nil)
	if status != http.StatusConflict || !strings.Contains(text, "was labelled right by Ada") {
		t.Errorf("status %d: %s", status, text)
	}
	if got := labelsOf(t, run); len(got) != 1 || got[0].Verdict != judge.Correct {
		t.Errorf("%+v", got)
	}
}

// Only a page of this server writes, and only what its buttons say.
func TestLabelAccess(t *testing.T) {
	s, l, run := labelled(t)
	good := form(t, s.page(labelPage), "correct", "")
	port := s.base[strings.LastIndex(s.base, ":"):]
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	without := func(name string) func(*http.Request) { return func(r *http.Request) { r.Header.Del(name) } }
	with := func(name, value string) url.Values {
		out := url.Values{}
		for k, v := range good {
			out[k] = v
		}
		out.Set(name, value)
		return out
	}
	for name, c := range map[string]struct {
		path   string
		fields url.Values
		change func(*http.Request)
		want   int
	}{
		"no token":                    {labelPage, good, nil, 403},
		"another token":               {"/AAAAAAAAAAAAAAAAAAAAAAAAAA" + labelPage, good, nil, 403},
		"another origin":              {s.root + labelPage, good, header("Origin", "http://evil.example"), 403},
		"another port":                {s.root + labelPage, good, header("Origin", "http://127.0.0.1:1"), 403},
		"an origin that hides":        {s.root + labelPage, good, header("Origin", "null"), 403},
		"an origin by TLS":            {s.root + labelPage, good, header("Origin", strings.Replace(s.base, "http", "https", 1)), 403},
		"no origin":                   {s.root + labelPage, good, without("Origin"), 403},
		"two origins":                 {s.root + labelPage, good, func(r *http.Request) { r.Header.Add("Origin", s.base) }, 403},
		"another site":                {s.root + labelPage, good, header("Sec-Fetch-Site", "cross-site"), 403},
		"another site of this host":   {s.root + labelPage, good, header("Sec-Fetch-Site", "same-site"), 403},
		"a host that resolves here":   {s.root + labelPage, good, func(r *http.Request) { r.Host = "127.0.0.1.evil.example" + port }, 403},
		"another page":                {s.root + "/run/run-1/", good, nil, 405},
		"another run":                 {s.root + "/run/run-2/label", good, nil, 405},
		"another method":              {s.root + labelPage, good, func(r *http.Request) { r.Method = http.MethodPut }, 405},
		"a form of another kind":      {s.root + labelPage, good, header("Content-Type", "text/plain"), 404},
		"no such answer":              {s.root + labelPage, with("query", "q9"), nil, 404},
		"no such configuration":       {s.root + labelPage, with("of", "other"), nil, 404},
		"no verdict":                  {s.root + labelPage, with("verdict", ""), nil, 400},
		"another verdict":             {s.root + labelPage, with("verdict", "Correct"), nil, 400},
		"a long reason":               {s.root + labelPage, with("reason", strings.Repeat("ä", 2001)), nil, 400},
		"a form that is too large":    {s.root + labelPage, with("reason", strings.Repeat("a", 1<<20)), nil, 400},
		"the fields in the address":   {s.root + labelPage + "?" + good.Encode(), url.Values{}, nil, 404},
		"the fields, without a form":  {s.root + labelPage + "?" + good.Encode(), nil, func(r *http.Request) { r.Method = http.MethodGet }, 200},
		"an answer that is not there": {s.root + labelPage + "?query=q9&of=default", nil, func(r *http.Request) { r.Method = http.MethodGet }, 404},
	} {
		if status, text := s.send(c.path, c.fields, c.change); status != c.want {
			t.Errorf("%s: status %d, want %d: %s", name, status, c.want, text)
		}
	}
	if got := labelsOf(t, run); len(got) != 0 || l.Given() != 0 {
		t.Errorf("labels were written: %+v", got)
	}
	_, h, _ := s.ask(s.root+labelPage, nil)
	if got := h.Get("Referrer-Policy"); got != "same-origin" {
		t.Errorf("with the referrer policy %q browsers hide the origin of the form", got)
	}

	only := served(t, filepath.Dir(run.Dir)) // without --label
	if status, text := only.send(only.root+labelPage, good, nil); status != 405 {
		t.Errorf("status %d: %s", status, text)
	}
	if status, _, text := only.ask(only.root+labelPage, nil); status != 404 || !strings.Contains(text, "--label") {
		t.Errorf("status %d: %s", status, text)
	}
}

// The keys that the page names are those of its script.
func TestLabelKeys(t *testing.T) {
	s, _, _ := labelled(t)
	s.send(s.root+labelPage, form(t, s.page(labelPage), "correct", ""), nil)
	page, script := s.page(labelPage+"?last=q1&lastof=default")+s.page(labelPage+"?last=q2&lastof=default")+
		s.page(labelPage+"?last=q3&lastof=default"), s.page("/label.js")
	for _, key := range []string{"y", "n", "s", "v", "t", "u", "r"} {
		if !strings.Contains(page, `id="label-`+key+`"`) || !strings.Contains(page, "("+key+")") || !strings.Contains(script, "label-"+key) {
			t.Errorf("the key %s is missing", key)
		}
	}
}
