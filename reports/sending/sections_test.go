package sending_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/sending"
)

var names = sending.Names{Was: document.Quoted("before"), Now: document.Quoted("after")}

func render(t testing.TB, c *sent.Comparison, known ...string) (terminal, markdown string) {
	t.Helper()
	d := document.Document{Details: sending.Sections(c, known, names)}
	var a, b bytes.Buffer
	if err := (document.Screen{Width: 80}).Write(&a, d); err != nil {
		t.Fatal(err)
	}
	if err := document.WriteMarkdown(&b, d); err != nil {
		t.Fatal(err)
	}
	return a.String(), b.String()
}

func TestSections(t *testing.T) {
	diff := []string{"@@ -1,2 +1,2 @@", " Be  careful.", "-Answer.", "+Answr. ```"}
	c := &sent.Comparison{Queries: 200, Of: 1000, Differences: []sent.Difference{
		{Kind: sent.SystemPrompt, Queries: 200, Query: "q1", Lines: diff, More: 2},
		{Kind: sent.FirstMessage, Queries: 3, Query: "q2", Varied: true, Lines: []string{"-a", "+b"}},
		{Kind: sent.File, Name: "p.txt", Lines: diff},
		{Kind: sent.Tool, Name: "calc", Queries: 200, Gone: true, Lines: []string{}},
		{Kind: sent.Parameter, Name: "max_tokens", Queries: 200, Was: new("100")},
		{Kind: sent.Model, Queries: 7, Was: new("a:m"), Now: new("a:n")},
	}, Missing: []string{"x"}}
	terminal, markdown := render(t, c)
	if want := `after sent other requests than before; compared: the first trace of 200 of 1000
  queries.
The system prompt changed in 200 of 200 queries, as in q1:
    @@ -1,2 +1,2 @@
     Be  careful.
    -Answer.
    +Answr. ` + "```" + `
    … 2 more changed lines

The first message changed in 3 of 200 queries; these lines are of q2:
    -a
    +b

The file p.txt changed in the same lines as the system prompt
The tool calc is no longer sent in 200 of 200 queries
max_tokens: 100, now not sent, in 200 of 200 queries
The model: a:m, now a:n, in 7 of 200 queries

requests not fully compared: x
`; terminal != want {
		t.Errorf("%s\nwant\n%s", terminal, want)
	}
	for _, want := range []string{"\n\n````diff\n@@ -1,2 +1,2 @@\n Be  careful.\n-Answer.\n+Answr. ```\n… 2 more changed lines\n````\n", "- `max_tokens`: `100`, now not sent, in 200 of 200 queries\n"} {
		if !strings.Contains(markdown, want) {
			t.Errorf("%q is not in\n%s", want, markdown)
		}
	}
	terminal, _ = render(t, c, "agent.max_tokens: 100, now none", "agent.tools: calc is gone", "model: a:m, now a:n")
	for _, twice := range []string{"max_tokens", "calc", "a:n"} {
		if strings.Contains(terminal, twice) {
			t.Errorf("%s is stated again:\n%s", twice, terminal)
		}
	}
}

// Files alone are no requests. Nothing is printed for nothing, and only advice for nothing but advice.
func TestFewSections(t *testing.T) {
	file := sent.Difference{Kind: sent.File, Name: "p\x1b[2J.txt", Lines: []string{"-a", "+b"}}
	for name, c := range map[string]struct {
		of   *sent.Comparison
		want string
	}{
		"nil":   {nil, ""},
		"equal": {&sent.Comparison{Queries: 3, Of: 3}, ""},
		"files": {&sent.Comparison{Differences: []sent.Difference{file}}, "The file p [2J.txt changed:\n    -a\n    +b\n"},
		"no lines": {&sent.Comparison{Differences: []sent.Difference{{Kind: sent.File, Name: "p.txt"}}},
			"The file p.txt changed; its lines are not kept (text files are kept up to 64\n  KiB, and 4 MiB in all)\n"},
		"advice":  {&sent.Comparison{Advice: "nothing that concur saw differs"}, "nothing that concur saw differs\n"},
		"no text": {&sent.Comparison{Queries: 1, Of: 1, Differences: []sent.Difference{{Kind: sent.Tool, Name: "calc", Queries: 1}}}, "after sent other requests than before; compared: the first trace of 1 query.\nThe tool calc changed in 1 of 1 query; the changed part is not kept (texts are\n  kept up to 64 KiB)\n"},
	} {
		if got, _ := render(t, c.of); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	many := &sent.Comparison{Queries: 1, Of: 1}
	for range 9 {
		many.Differences = append(many.Differences, sent.Difference{Kind: sent.SystemPrompt, Name: "x", Queries: 1, Lines: []string{"+a"}})
	}
	if got, _ := render(t, many); strings.Count(got, "The system prompt") != 6 || !strings.Contains(got, "3 more differences; --format json has all") {
		t.Error(got)
	}
}

// Lines of a diff that could be commands of a CI system or a terminal are harmless.
func TestHostileLines(t *testing.T) {
	terminal, markdown := render(t, &sent.Comparison{Queries: 1, Of: 1, Differences: []sent.Difference{
		{Kind: sent.SystemPrompt, Queries: 1, Query: "q", Lines: []string{"+##[error]x", "+\x1b[2J", "+````"}},
	}})
	for _, out := range []string{terminal, markdown} {
		if strings.Contains(out, "\x1b") || strings.Contains(out, "##[") {
			t.Errorf("%q", out)
		}
	}
	if !strings.Contains(markdown, "`````diff") {
		t.Error(markdown)
	}
}

func ExampleSections() {
	c := &sent.Comparison{Queries: 2, Of: 2, Differences: []sent.Difference{
		{Kind: sent.SystemPrompt, Queries: 2, Query: "nile", Lines: []string{"-Answer.", "+Answr."}},
	}}
	names := sending.Names{Was: document.Quoted("before"), Now: document.Quoted("after")}
	_ = document.Screen{}.Write(os.Stdout, document.Document{Details: sending.Sections(c, nil, names)})
	// Output:
	// after sent other requests than before; compared: the first trace of 2 queries.
	// The system prompt changed in 2 of 2 queries, as in nile:
	//     -Answer.
	//     +Answr.
}
