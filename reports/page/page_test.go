package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// findNodes are the elements of a page for which is holds.
func findNodes(t *testing.T, text string, is func(*html.Node) bool) []*html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && is(n) {
			out = append(out, n)
		}
	}
	return out
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func inner(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func named(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

func class(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return strings.Contains(" "+attribute(n, "class")+" ", " "+name+" ") }
}

// The grid says of each query what each configuration made of it, and leads to the traces.
func TestGrid(t *testing.T) {
	text := written(t, ablation(t))
	var rows []string
	for _, n := range findNodes(t, text, func(n *html.Node) bool { return attribute(n, "data-of") != "" }) {
		rows = append(rows, attribute(n, "data-of")+" "+inner(n)+" ["+attribute(n, "data-tags")+"]")
	}
	golden.Check(t, filepath.Join("testdata", "grid.txt"), strings.Join(rows, "\n")+"\n")
	ids := map[string]bool{}
	for _, n := range findNodes(t, text, func(n *html.Node) bool { return attribute(n, "id") != "" }) {
		if id := attribute(n, "id"); ids[id] {
			t.Errorf("two elements have the id %s", id)
		} else {
			ids[id] = true
		}
	}
	for _, n := range findNodes(t, text, named("a")) {
		if to := attribute(n, "href"); !strings.HasPrefix(to, "#") || !ids[to[1:]] {
			t.Errorf("a link leads to %q, which is not in the page", to)
		}
	}
	for _, n := range findNodes(t, text, func(n *html.Node) bool { return n.Data == "button" && attribute(n, "id") != "print" }) {
		if !ids[attribute(n, "popovertarget")] {
			t.Errorf("a button opens %q, which is not in the page", attribute(n, "popovertarget"))
		}
	}
}

// alone is a run of one configuration, of which the second query failed.
func alone(t *testing.T) *store.Run {
	var records []store.Record
	for i, answers := range []string{"right right", "wrong wrong", "right right"} {
		records = append(records, record("full", fmt.Sprint("q", i+1), strings.Fields(answers)...))
	}
	return stored(t, manifest("run-1", 3, "full"), records)
}

// A page begins with its doctype, has a link to each of its parts, and can be printed without its controls.
func TestParts(t *testing.T) {
	several, single := written(t, ablation(t)), gated(t, alone(t))
	for name, text := range map[string]string{"of several": several, "of one": single} {
		if !strings.HasPrefix(text, "<!DOCTYPE html>\n<html") {
			t.Errorf("the page %s begins with %q", name, text[:30])
		}
		for _, id := range []string{"results", "plots", "grid", "traces"} {
			if !strings.Contains(text, `<a class="anchor" href="#`+id+`"`) {
				t.Errorf("the page %s has no link to %s to copy", name, id)
			}
		}
		if !strings.Contains(text, `<button type="button" id="print" hidden>`) || strings.Count(text, "window.print()") != 1 {
			t.Errorf("the page %s has no button to print it", name)
		}
	}
	plots, grid := strings.Index(several, `id="plots"`), strings.Index(several, `id="grid"`)
	if plots > grid || plots < 0 {
		t.Error("of several configurations, queries come before plots")
	}
	if plots, grid = strings.Index(single, `id="plots"`), strings.Index(single, `id="grid"`); grid > plots || grid < 0 {
		t.Error("of one configuration, plots come before queries")
	}
	if !strings.Contains(single, `<th scope="col" class="gold">answer</th>`) || strings.Contains(several, `<th scope="col" class="gold">answer</th>`) {
		t.Error("the answer has a column where there is one configuration, and only there")
	}
	rows := findNodes(t, single, func(n *html.Node) bool { return attribute(n, "data-of") != "" })
	passed := false
	for _, row := range rows {
		failed := attribute(row, "class") == "failed"
		if failed && passed {
			t.Error("a failure comes after a right query")
		}
		passed = passed || !failed
		if said := inner(row); !strings.Contains(said, "right") && !strings.Contains(said, "wrong") && !strings.Contains(said, "no") {
			t.Errorf("no word for how it ended: %s", said)
		}
	}
	if len(rows) < 3 || !passed {
		t.Errorf("%d rows", len(rows))
	}
}

// A query's section holds decisions and traces; of traces that do the same, one.
func TestTraces(t *testing.T) {
	text := written(t, ablation(t))
	var out []string
	for _, n := range findNodes(t, text, class("query"))[1:] {
		out = append(out, inner(n))
	}
	golden.Check(t, filepath.Join("testdata", "traces.txt"), strings.ReplaceAll(strings.Join(out, "\n\n"), " step ", "\n  step ")+"\n")
	if n := strings.Count(text, "What it says."); n != 1 {
		t.Errorf("the document stands in the page %d times", n)
	}
}

// Each plot has a text alternative and its numbers.
func TestFigures(t *testing.T) {
	text := written(t, ablation(t))
	var out []string
	for _, n := range findNodes(t, text, named("figure")) {
		var plot, numbers *html.Node
		for d := range n.Descendants() {
			switch {
			case d.Data == "svg":
				plot = d
			case d.Data == "tbody":
				numbers = d
			}
		}
		if plot == nil || numbers == nil || attribute(plot, "role") != "img" {
			t.Fatalf("%s has no plot or no numbers", inner(n))
		}
		for _, child := range []string{"title", "desc"} {
			found := false
			for d := range plot.Descendants() {
				found = found || d.Data == child && inner(d) != ""
			}
			if !found {
				t.Errorf("a plot has no %s", child)
			}
		}
		out = append(out, attribute(plot, "aria-labelledby")+": "+inner(numbers))
	}
	golden.Check(t, filepath.Join("testdata", "figures.txt"), strings.Join(out, "\n")+"\n")
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("a plot has a place that is no number")
	}
}

var policy = regexp.MustCompile(`^default-src 'none'; style-src 'sha256-([^']+)'; script-src 'sha256-([^']+)'; base-uri 'none'; form-action 'none'$`)

// The policy lets through the style and the script that the page has, and nothing else.
func TestPolicy(t *testing.T) {
	text := written(t, ablation(t))
	var found []string
	for _, n := range findNodes(t, text, named("meta")) {
		if attribute(n, "http-equiv") == "Content-Security-Policy" {
			found = policy.FindStringSubmatch(attribute(n, "content"))
		}
	}
	if found == nil {
		t.Fatal("the page has no such policy")
	}
	for i, name := range []string{"style", "script"} {
		of := findNodes(t, text, named(name))
		if len(of) != 1 {
			t.Fatalf("%d elements %s", len(of), name)
		}
		sum := sha256.Sum256([]byte(of[0].FirstChild.Data))
		if base64.StdEncoding.EncodeToString(sum[:]) != found[i+1] {
			t.Errorf("the policy has another hash than the %s", name)
		}
	}
}

// What others wrote stays text, whatever it is.
func TestHostileRun(t *testing.T) {
	text := written(t, hostile(t))
	names := func(text string) map[string]bool {
		out := map[string]bool{}
		for _, n := range findNodes(t, text, func(*html.Node) bool { return true }) {
			out[n.Data] = true
			for _, a := range n.Attr {
				out["@"+a.Key] = true
			}
		}
		return out
	}
	honest := names(written(t, ablation(t)))
	for name := range names(text) {
		if !honest[name] {
			t.Errorf("the page has %s, which that of an honest run has not", name)
		}
	}
	for _, n := range findNodes(t, text, func(*html.Node) bool { return true }) {
		for _, a := range n.Attr {
			if (a.Key == "href" || a.Key == "popovertarget") && strings.Contains(a.Val, ":") {
				t.Errorf("an address is %q", a.Val)
			}
		}
	}
	if !utf8.ValidString(text) {
		t.Error("the page is not valid UTF-8")
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || r == '\u202e' || r == '\u2066') {
			t.Fatalf("the page has the character %U", r)
		}
	}
	if len(text) > 4<<20 {
		t.Errorf("the page has %d bytes, though every text is cut", len(text))
	}
	if !strings.Contains(text, "was interrupted and has no end") {
		t.Error("a trace without an end is not named as such")
	}
}

// A large run has the traces of failed and flipped queries alone, and says so.
func TestLargeRun(t *testing.T) {
	const queries = 150
	var records []store.Record
	var traces [][]trace.Event
	for i := range queries {
		answer := "right"
		if i%10 == 0 {
			answer = "wrong"
		}
		id := fmt.Sprintf("q%03d", i)
		records = append(records, record("one", id, answer, answer))
		for j := range 2 {
			traces = append(traces, events(trace.ID{Agent: "agent of one", Query: id, Trace: j}, trace.Document{}, answer))
		}
	}
	text := written(t, stored(t, manifest("run-1", queries, "one"), records, traces...))
	with, without := 0, 0
	for _, n := range findNodes(t, text, class("query")) {
		if strings.Contains(inner(n), "Search first.") {
			with++
		}
	}
	for _, n := range findNodes(t, text, named("tr")) {
		if attribute(n, "data-of") == "" && strings.HasPrefix(inner(n), "q1") && strings.Contains(inner(n), "right") {
			without++
		}
	}
	if with != queries/10 || without != 45 || !strings.Contains(text, "The run has 300 traces") {
		t.Errorf("%d queries with traces and %d without", with, without)
	}
}

// Two runs stand side by side, and the step in which they part is marked.
func TestTwoRuns(t *testing.T) {
	var runs []*store.Run
	var sides []ablations.Side
	r := &result.Result{Dataset: result.Dataset{Name: "set", Queries: 2, Categories: []string{"lookup"}}}
	for i, label := range []string{"A", "B"} {
		var records []store.Record
		var traces [][]trace.Event
		for _, query := range []string{"q1", "q2"} {
			answer := "right"
			if i == 1 && query == "q2" {
				answer = "wrong"
			}
			records = append(records, record("one", query, answer, answer))
			traces = append(traces, events(trace.ID{Agent: "agent of one", Query: query}, trace.Document{Title: "t"}, answer))
		}
		run := stored(t, manifest("run-"+label, 2, "one"), records, traces...)
		runs = append(runs, run)
		of, err := result.Summarize(run.Manifest, run.Records())
		if err != nil {
			t.Fatal(err)
		}
		side, err := ablations.Sides(run.Manifest, run.Records())
		if err != nil {
			t.Fatal(err)
		}
		of.Configurations[0].Name, side[0].Name = label+": one", label+": one"
		r.Configurations = append(r.Configurations, of.Configurations[0])
		r.Runs = append(r.Runs, result.RunRef{Label: label, Run: run.Manifest.Run})
		sides = append(sides, side[0])
	}
	var err error
	if r.Comparisons, err = ablations.Pairwise([][2]ablations.Side{{sides[0], sides[1]}}, ablations.Options{Margin: .05}); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := (page.Page{Result: r, Runs: runs}).Write(&b); err != nil {
		t.Fatal(err)
	}
	sections := findNodes(t, b.String(), class("query"))
	if same := inner(sections[0]); !strings.Contains(same, "Step for step the same as trace 0 of the other run") {
		t.Errorf("equal traces are shown twice: %s", same)
	}
	parting := regexp.MustCompile(`Run A .*Run B .*step 1 Parts here from trace 0 of the other run`)
	if flip := inner(sections[1]); !parting.MatchString(flip) {
		t.Errorf("the flip is shown as: %s", flip)
	}
	if said := findNodes(t, b.String(), class("closing")); len(said) != 1 || inner(said[0]) != strings.Join(strings.Fields(reports.Closing(r)), " ") {
		t.Error("the page does not say what it comes to")
	}
}

// TestCostHasAUnit checks that the plot of costs says that they are tokens, if there is no price.
func TestCostHasAUnit(t *testing.T) {
	r := record("full", "q1", "right")
	r.Usage.ModelCalls, r.Usage.InputTokens = 1, 300
	text := written(t, stored(t, manifest("run-1", 1, "full"), []store.Record{r}))
	if !strings.Contains(text, "by their cost in tokens, with") {
		t.Error("the costs have no unit")
	}
}
