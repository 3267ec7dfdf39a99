package sent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// agent is what a made-up agent sends: for each query and trace, one or more requests.
type agent struct {
	system, user func(query string, trace int) string
	settings     store.RequestSettings
	more         func(query string, trace int) []store.Exchange
	k            int
	day          int
	queries      int
	files        map[string]string // texts by name
}

func constant(text string) func(string, int) string { return func(string, int) string { return text } }

func plainAgent() agent {
	return agent{
		system: constant("You are careful.\nAnswer in one word.\nShow no reasons."), user: func(q string, _ int) string { return "Question: " + q },
		settings: store.RequestSettings{Model: "test:m", Temperature: .5, MaxTokens: 100, Tools: []model.ToolSpec{
			{Name: "calc", Description: "Calculates.", Parameters: json.RawMessage(`{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"number"}}}`)},
			{Name: "search", Description: "Searches.", Parameters: json.RawMessage(`{"type":"object"}`)},
		}},
		k: 1, day: 3, queries: 4,
	}
}

// exchange is the first request of a conversation.
func exchange(query string, trace int, s store.RequestSettings, messages ...model.Message) store.Exchange {
	return store.Exchange{
		Identity: model.Identity{Agent: "3f2a", Query: query, Trace: trace, Purpose: model.Agent}, RequestSettings: &s,
		Messages: messages,
	}
}

func (a agent) run(t testing.TB, name string) (*store.Run, store.Configuration) {
	t.Helper()
	conf := store.Configuration{Name: "default", Agent: "3f2a", Configuration: config.New()}
	conf.Configuration.Name = ""
	m := store.Manifest{
		Run: name, Start: time.Date(2026, 11, a.day, 22, 0, 0, 0, time.UTC), Versions: map[string]string{}, Configurations: []store.Configuration{conf},
		Dataset: store.Dataset{Name: "d", Hash: "sha256:0"},
	}
	files := map[string]string{}
	for name, text := range a.files {
		files[name] = fmt.Sprintf("%016x", len(text))
	}
	m.Agents = map[string]store.AgentFacts{"3f2a": {Files: files}}
	w, err := store.Create(t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.queries {
		for trace := range a.k {
			q := fmt.Sprintf("q%04d", i)
			w.Exchange(exchange(q, trace, a.settings, model.Message{Role: model.System, Content: a.system(q, trace)}, model.Message{Role: model.User, Content: a.user(q, trace)}))
			if a.more != nil {
				for _, x := range a.more(q, trace) {
					w.Exchange(x)
				}
			}
		}
	}
	if err := w.Finish(store.Complete, m.Start.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for name, digest := range files {
		if err := os.WriteFile(filepath.Join(w.Dir(), store.AgentFile(digest)), []byte(a.files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return r, conf
}

func (a agent) ids() (ids []string) {
	for i := range a.queries {
		ids = append(ids, fmt.Sprintf("q%04d", i))
	}
	return ids
}

func (a agent) sample(t testing.TB, name string) sent.Sample {
	t.Helper()
	r, conf := a.run(t, name)
	return sent.Read(r, conf, sent.Spread(a.ids(), sent.MostQueries))
}

// describe returns a difference in one line.
func describe(d sent.Difference) string {
	out := strings.TrimSpace(string(d.Kind)+" "+d.Name) + fmt.Sprintf(" in %d", d.Queries)
	if d.Varied {
		out += " varied"
	}
	if d.Was != nil {
		out += " was " + *d.Was
	}
	if d.Now != nil {
		out += " now " + *d.Now
	}
	if d.Gone {
		out += " gone"
	}
	if d.New {
		out += " new"
	}
	for _, l := range d.Lines {
		if l[0] == '-' || l[0] == '+' {
			out += " " + l
		}
	}
	if d.More > 0 {
		out += fmt.Sprint(" more ", d.More)
	}
	return out
}

func TestCompare(t *testing.T) {
	perQuery := func(line string) func(string, int) string {
		return func(q string, _ int) string { return "Be careful.\nThe question is " + q + ".\n" + line }
	}
	varying := func(line string) func(string, int) string {
		n := 0
		return func(q string, trace int) string {
			n++
			return fmt.Sprintf("Be careful.\n%s\nRequest %s-%d-%d.\nStop.", line, line, trace, n)
		}
	}
	key := "sk" + "-proj-" + "4fJ8sK2mQ9xT7vB3nW6y"
	dated := func(day string) func(string, int) string {
		return constant("Be careful.\nToday is " + day + ".\nStop.")
	}
	call := func(q string, trace int, prompt string) store.Exchange {
		x := exchange(q, trace, store.RequestSettings{Model: "test:m", Temperature: .5}, model.Message{Role: model.System, Content: prompt})
		x.Path = "critic#1"
		return x
	}
	for _, c := range []struct {
		name     string
		was, now func(*agent)
		want     []string
	}{
		{"equal", nil, nil, nil},
		{"a broken prompt", nil, func(a *agent) { a.system = constant("You are careful.\nAnswr.\nShow no reasons.") },
			[]string{"system_prompt in 4 -Answer in one word. +Answr."}},
		{"a broken prompt with a part per query", func(a *agent) { a.system = perQuery("Answer.") }, func(a *agent) { a.system = perQuery("Answr.") },
			[]string{"system_prompt in 4 -Answer. +Answr."}},
		{"parts per query only", func(a *agent) { a.system = perQuery("Answer.") }, func(a *agent) { a.system = perQuery("Answer.") }, nil},
		{"some queries only", nil, func(a *agent) {
			before := a.system
			a.system = func(q string, i int) string {
				if q == "q0002" {
					return "You are careful."
				}
				return before(q, i)
			}
		}, []string{"system_prompt in 1 -Answer in one word. -Show no reasons."}},
		{"a line that varies from trace to trace", func(a *agent) { a.system, a.k = varying("A"), 2 }, func(a *agent) { a.system, a.k = varying("A"), 2 }, nil},
		{"a broken line beside one that varies", func(a *agent) { a.system, a.k = varying("A"), 2 }, func(a *agent) { a.system, a.k = varying("B"), 2 },
			[]string{"system_prompt in 4 -A +B"}},
		{"the day of the run", func(a *agent) { a.system = dated("Tuesday, 3 November 2026") }, func(a *agent) { a.day, a.system = 12, dated("Thursday, 12 November 2026") }, nil},
		{"a time in the run", func(a *agent) { a.system = dated("2026-11-03T22:15:01.5Z") }, func(a *agent) { a.day, a.system = 12, dated("2026-11-12T23:01:59+01:00") }, nil},
		{"another day", func(a *agent) { a.system = dated("2024-01-01") }, func(a *agent) { a.system = dated("2025-01-01") },
			[]string{"system_prompt in 4 -Today is 2024-01-01. +Today is 2025-01-01."}},
		{"the first message", nil, func(a *agent) { a.user = func(q string, _ int) string { return "Questoin: " + q } },
			[]string{"first_message in 4 varied -Question: q0000 +Questoin: q0000"}},
		{"order of tools and keys", nil, func(a *agent) {
			tools := slices.Clone(a.settings.Tools)
			tools[0].Parameters = json.RawMessage(`{"properties":{"b":{"type":"number"},"a":{ "type":"string"}}, "required":["b","a"],"type":"object"}`)
			slices.Reverse(tools)
			a.settings.Tools = tools
		}, nil},
		{"a tool changed, one new, one gone", nil, func(a *agent) {
			calc := a.settings.Tools[0]
			calc.Description = "Calculates badly."
			a.settings.Tools = []model.ToolSpec{calc, {Name: "ask", Parameters: json.RawMessage(`{}`)}}
		}, []string{"tool ask in 4 new", "tool calc in 4 -Calculates. +Calculates badly.", "tool search in 4 gone"}},
		{"parameters and model", nil, func(a *agent) {
			a.settings.Model, a.settings.Temperature, a.settings.MaxTokens = "test:n", 0, 0
			a.settings.Extra = map[string]json.RawMessage{"top_p": json.RawMessage(`0.9`)}
		}, []string{"parameter max_tokens in 4 was 100 gone", "parameter temperature in 4 was 0.5 now 0", "parameter top_p in 4 now 0.9 new", "model in 4 was test:m now test:n"}},
		{"a reply schema", func(a *agent) {
			a.settings.Schema = &model.ResponseSchema{Name: "r", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}
		}, func(a *agent) {
			a.settings.Schema = &model.ResponseSchema{Name: "r", Schema: json.RawMessage(`{"properties":{"a":{"type":"number"}},"type":"object"}`)}
		}, []string{`reply_schema r in 4 -      "type": "string" +      "type": "number"`}},
		{"a sub-agent that is called in a few queries", func(a *agent) {
			a.more = func(q string, i int) []store.Exchange {
				if q != "q0001" {
					return nil
				}
				return []store.Exchange{call(q, i, "Criticise.")}
			}
		}, nil, nil},
		{"a sub-agent's prompt", func(a *agent) {
			a.more = func(q string, i int) []store.Exchange { return []store.Exchange{call(q, i, "Criticise.")} }
		}, func(a *agent) {
			a.more = func(q string, i int) []store.Exchange { return []store.Exchange{call(q, i, "Praise.")} }
		}, []string{"system_prompt critic in 4 -Criticise. +Praise."}},
		{"a key is no difference, and not shown", func(a *agent) { a.system = constant("Use " + key + ".\nAnswer.") }, func(a *agent) { a.system = constant("Use " + key + "x9Q2.\nAnswr.") },
			[]string{"system_prompt in 4 -Answer. +Answr."}},
		{"control characters", func(a *agent) { a.system = constant("a\x1b[2J") }, func(a *agent) { a.system = constant("a\u202e\x00") },
			[]string{`system_prompt in 4 -a\x1b[2J +a\u202e\x00`}},
		{"files", func(a *agent) {
			a.files = map[string]string{"p.txt": "Be careful.\nAnswer.", "same.txt": "x", "gone.txt": "yes"}
		}, func(a *agent) {
			a.files = map[string]string{"p.txt": "Be careful.\nAnswr.", "same.txt": "x"}
		}, []string{"file p.txt in 0 -Answer. +Answr."}},
		{"ends of files", func(a *agent) {
			a.files = map[string]string{"cut.txt": "a\nb\n", "empty.txt": "a\nb\nc\n", "line.txt": "\n"}
		}, func(a *agent) {
			a.files = map[string]string{"cut.txt": "a\nb", "empty.txt": "", "line.txt": ""}
		}, []string{"file cut.txt in 0 -b +b [no newline at the end]", "file empty.txt in 0 -a -b -c", "file line.txt in 0 -"}},
	} {
		was, now := plainAgent(), plainAgent()
		if c.was != nil {
			c.was(&was)
		}
		if c.now != nil {
			c.now(&now)
		}
		got := sent.Compare(was.sample(t, "before"), now.sample(t, "after"), 4)
		var list []string
		for _, d := range got.Differences {
			list = append(list, describe(d))
		}
		if diff := cmp.Diff(c.want, list); diff != "" || got.Queries != 4 || len(got.Missing) > 0 {
			t.Errorf("%s: %d queries, missing %q (-want +got):\n%s", c.name, got.Queries, got.Missing, diff)
		}
	}
}
