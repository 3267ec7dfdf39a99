package sent

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Read reads what a configuration of a run sent for these queries: in the first trace of each. If a text
// differs between the first and the second trace of a query, the lines that differ are left out of the
// comparison. Read returns no error: if the recording is missing or damaged, Sample.Problem says so.
func Read(r *store.Run, c store.Configuration, queries []string) Sample {
	g := gatherer{
		texts:  newTexts(r.Manifest),
		traces: map[string]*[2]tracePart{}, settings: map[settingsOf][]Part{},
		out: Sample{Run: r.Manifest.Run, Files: map[string]string{}, Contents: map[string]string{}},
	}
	for _, id := range queries {
		g.traces[id] = &[2]tracePart{}
	}
	accepts := func(id model.Identity) bool {
		return id.Agent == c.Agent && id.Purpose == model.Agent && g.traces[id.Query] != nil &&
			(id.Trace == c.First || id.Trace == c.First+1)
	}
	for x, err := range r.ExchangesOf(accepts) {
		if err != nil {
			g.out.Problem = problemOf(err)
			break
		}
		g.add(&g.traces[x.Query][x.Trace-c.First], x)
	}
	for _, id := range slices.Sorted(maps.Keys(g.traces)) {
		if parts := g.settle(g.traces[id]); len(parts) > 0 {
			g.out.Queries = append(g.out.Queries, Query{id, parts})
		}
	}
	for name, digest := range r.Manifest.Agents[c.Agent].Files {
		g.out.Files[name], g.out.Contents[name] = g.file(r, name, digest), digest
	}
	g.out.Texts = g.texts.kept
	g.out.dropUnused()
	return g.out
}

// problemOf describes an error of reading a recording.
func problemOf(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "the run has no chat.jsonl"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return text.Clip(line, 300)
}

// gatherer collects the parts of the wanted traces.
type gatherer struct {
	texts    *texts
	traces   map[string]*[2]tracePart // the first two traces of each query
	settings map[settingsOf][]Part
	out      Sample
}

// tracePart has the parts of one trace.
type tracePart struct {
	parts []Part
	begun bool // the first request was read
}

func (t *tracePart) add(p Part) {
	if !slices.Contains(t.parts, p) && len(t.parts) < mostParts {
		t.parts = append(t.parts, p)
	}
}

// mostParts limits the parts of one trace.
const mostParts = 500

// add adds the parts of one request.
func (g *gatherer) add(t *tracePart, x store.Exchange) {
	path := pathOf(x.Path)
	s := cmp.Or(x.RequestSettings, &store.RequestSettings{})
	if strings.HasPrefix(x.Task, "embeddings") {
		t.add(Part{Model, joinPath(path, "embeddings"), g.texts.keep(s.Model)})
		return
	}
	if x.Kept == 0 {
		system, rest := divide(x.Messages)
		if system != "" {
			t.add(Part{SystemPrompt, path, g.texts.keep(system)})
		}
		if !t.begun {
			t.begun = true
			if first := renderMessages(rest); first != "" {
				t.add(Part{FirstMessage, path, g.texts.keep(first)})
			}
		}
	}
	if x.RequestSettings == nil {
		return
	}
	of := settingsOf{x.RequestSettings, path}
	if _, known := g.settings[of]; !known {
		g.settings[of] = g.settingsParts(*s, path)
	}
	for _, p := range g.settings[of] {
		t.add(p)
	}
}

// settingsOf names the settings of an agent's requests; exchanges with equal settings share them.
type settingsOf struct {
	settings *store.RequestSettings
	path     string
}

// settingsParts returns the parts of a request that are not messages.
func (g *gatherer) settingsParts(s store.RequestSettings, path string) (out []Part) {
	add := func(kind Kind, name, value string) {
		out = append(out, Part{kind, joinPath(path, name), g.texts.keep(value)})
	}
	for _, tool := range s.Tools {
		add(Tool, tool.Name, renderTool(tool))
	}
	if s.Schema != nil {
		add(ReplySchema, s.Schema.Name, renderSchema(*s.Schema))
	}
	for name, value := range parameters(s) {
		add(Parameter, name, value)
	}
	add(Model, "", s.Model)
	return out
}

// joinPath returns a name after the path of the sub-agent that it belongs to.
func joinPath(path, name string) string { return strings.Trim(path+"/"+name, "/") }

// pathOf returns the path of a sub-agent without the numbers of its calls: researcher for researcher#2.
func pathOf(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i], _, _ = strings.Cut(p, "#")
	}
	return strings.Join(parts, "/")
}

// divide returns the system prompt at the beginning of a conversation, and the messages after it.
func divide(messages []model.Message) (system string, rest []model.Message) {
	var prompts []string
	for len(messages) > 0 && messages[0].Role == model.System {
		prompts, messages = append(prompts, messages[0].Content), messages[1:]
	}
	return strings.Join(prompts, "\n\n"), messages
}

// settle returns the parts of a query's first trace. A prompt or message that differs between the two traces
// loses the lines that differ, unless most of its lines do.
func (g *gatherer) settle(traces *[2]tracePart) []Part {
	out := traces[0].parts
	seen := map[Part]int{} // the number of earlier parts of the kind and name
	for i, p := range out {
		of := Part{Kind: p.Kind, Name: p.Name}
		nth := seen[of]
		seen[of]++
		if p.Kind != SystemPrompt && p.Kind != FirstMessage || slices.Contains(traces[1].parts, p) {
			continue
		}
		for _, other := range traces[1].parts {
			if other.Kind != p.Kind || other.Name != p.Name {
				continue
			}
			if nth == 0 {
				out[i].Text = g.texts.withoutVarying(p.Text, other.Text)
				break
			}
			nth--
		}
	}
	return out
}

// file reads the text of an agent's file from the run folder, and returns its digest; "" if it is not there.
func (g *gatherer) file(r *store.Run, name, digest string) string {
	path := filepath.Join(r.Dir, store.AgentFile(digest))
	if name == "playbook" {
		path = filepath.Join(r.Dir, store.PlaybookFile(digest))
	}
	raw, err := disk.ReadFile(path)
	if err != nil {
		return ""
	}
	return g.texts.keep(string(raw))
}
