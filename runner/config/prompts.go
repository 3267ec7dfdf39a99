package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Prompts are texts of the user that replace concur's prompts. If the strategy does not have the part of a
// prompt, or if the part is off, the prompt is ignored.
type Prompts struct {
	// System states the purpose of the agent. It is used with every strategy. concur adds its own text about
	// tools, evidence and the form of the answer.
	System Prompt `yaml:"system,omitempty"`
	// The other prompts belong to the strategy plan. NextStep tells the model how to choose the calls of a
	// round.
	Analysis   Prompt `yaml:"analysis,omitempty"`
	NextStep   Prompt `yaml:"next_step,omitempty"`
	Reflection Prompt `yaml:"reflection,omitempty"`
	Synthesis  Prompt `yaml:"synthesis,omitempty"`
	// User is the message with the question, under every strategy.
	User Prompt `yaml:"user,omitempty"`
}

// Prompt is a text with placeholders such as {{task}}. In YAML it is a text, or the text of a file: {file: PATH},
// file://PATH, or PATH if it is one word that ends in .md or .txt. A path is relative to the working directory.
type Prompt struct {
	Text string
	File string // the file that Text was read from, for messages; may be ""
}

// maxPrompt is the maximum size in bytes of a file of a prompt.
const maxPrompt = 256 << 10

// UnmarshalNode reads a text, or the file of a text.
func (p *Prompt) UnmarshalNode(n *yaml.Node) error {
	*p = Prompt{}
	var from struct {
		File string `yaml:"file"`
	}
	if n.Kind == yaml.ScalarNode {
		if err := strictyaml.DecodeNode(n, &p.Text); err != nil || !isPath(p.Text) {
			return err
		}
		from.File, p.Text = strings.TrimPrefix(p.Text, "file://"), ""
	} else if err := strictyaml.DecodeNode(n, &from); err != nil {
		return err
	}
	raw, err := os.ReadFile(from.File)
	switch {
	case err != nil:
		return fmt.Errorf("read prompt: %w", err)
	case len(raw) > maxPrompt || !utf8.Valid(raw):
		return fmt.Errorf("read prompt: %s is not UTF-8 text of at most %d KiB", from.File, maxPrompt>>10)
	}
	*p = Prompt{Text: strings.TrimSpace(string(raw)), File: from.File}
	return nil
}

// UnmarshalYAML reads a text that MarshalYAML wrote. Plain decoders, such as that of manifests, use it. It
// opens no file, because a manifest may come from another person.
func (p *Prompt) UnmarshalYAML(n *yaml.Node) error {
	*p = Prompt{}
	return n.Decode(&p.Text)
}

// isPath reports whether a text in YAML is the path of a file.
func isPath(text string) bool {
	return !strings.ContainsFunc(text, unicode.IsSpace) &&
		(strings.HasPrefix(text, "file://") || strings.HasSuffix(text, ".md") || strings.HasSuffix(text, ".txt"))
}

// MarshalYAML writes the text and not the name of its file, so that the text is part of the agent hash and of
// manifests.
func (p Prompt) MarshalYAML() (any, error) { return p.Text, nil }

// IsZero reports whether concur's own text is used.
func (p Prompt) IsZero() bool { return p.Text == "" }

// placeholder matches {{name}}. It also matches a {{ without a name, so that this can be reported. The name of
// a column may have spaces.
var placeholder = lazy.Compile(`\{\{(?:[ \t]*([^\s{}](?:[^{}\n]{0,98}[^\s{}])?)[ \t]*\}\})?`)

// Fill replaces placeholders by texts, once: a placeholder in an inserted text is not replaced.
func (p Prompt) Fill(texts map[string]string) string {
	return placeholder.ReplaceAllStringFunc(p.Text,
		func(found string) string { return texts[placeholder.FindStringSubmatch(found)[1]] })
}

// promptPlaceholders has the placeholders of each prompt. The first ones are required; it also has their
// number. If a prompt may have columns, other names are columns of the query.
var promptPlaceholders = map[string]struct {
	of      func(*Prompts) *Prompt
	needed  int
	names   []string
	columns bool
}{
	"system":     {func(p *Prompts) *Prompt { return &p.System }, 0, []string{"tools", "today"}, true},
	"user":       {func(p *Prompts) *Prompt { return &p.User }, 0, []string{"question", "tools", "today"}, true},
	"analysis":   {func(p *Prompts) *Prompt { return &p.Analysis }, 1, []string{"task", "tools", "today"}, false},
	"next_step":  {func(p *Prompts) *Prompt { return &p.NextStep }, 0, []string{"tools", "today"}, false},
	"reflection": {func(p *Prompts) *Prompt { return &p.Reflection }, 1, []string{"results", "task", "today"}, false},
	"synthesis":  {func(p *Prompts) *Prompt { return &p.Synthesis }, 0, []string{"task", "today"}, false},
}

// Files returns the files from which prompts were read, by the names of the prompts.
func (p Prompts) Files() map[string]string {
	out := map[string]string{}
	for name, of := range promptPlaceholders {
		if file := of.of(&p).File; file != "" {
			out[name] = file
		}
	}
	return out
}

// fixedPlaceholders are the placeholders that are no columns.
var fixedPlaceholders = []string{"question", "task", "results", "tools", "today"}

// PromptColumn is a column of the queries that a prompt uses.
type PromptColumn struct {
	Name  string
	Place string // of its first use, for messages
}

// Columns returns the columns of the queries that the prompts use, each once.
func (p Prompts) Columns() (out []PromptColumn) {
	for name, want := range sorted(promptPlaceholders) {
		text := *want.of(&p)
		if !want.columns || text.IsZero() {
			continue
		}
		for _, m := range placeholder.FindAllStringSubmatchIndex(text.Text, -1) {
			if m[2] < 0 {
				continue
			}
			is := text.Text[m[2]:m[3]]
			if slices.Contains(fixedPlaceholders, is) ||
				slices.ContainsFunc(out, func(c PromptColumn) bool { return c.Name == is }) {
				continue
			}
			out = append(out, PromptColumn{is, text.place(name, m[0])})
		}
	}
	return out
}

// CheckColumns returns an error if a query does not have a column that the prompts use. has are the columns of
// the query.
func (p Prompts) CheckColumns(query string, has map[string]string) error {
	var wrong []error
	for _, c := range p.Columns() {
		if _, is := has[c.Name]; !is {
			known := strictyaml.Suggest(c.Name, append(slices.Sorted(maps.Keys(has)), "question", "tools", "today"))
			wrong = append(wrong, fmt.Errorf("%s: query %s has no column %q (%s): add it to the query's meta, or "+
				"correct the name", c.Place, query, c.Name, known))
		}
	}
	return errors.Join(wrong...)
}

// place names a place in the prompt with a name.
func (p Prompt) place(name string, at int) string {
	line := 1 + strings.Count(p.Text[:at], "\n")
	column := 1 + utf8.RuneCountInString(p.Text[1+strings.LastIndexByte(p.Text[:at], '\n'):at])
	if p.File != "" {
		return fmt.Sprintf("agent.prompts.%s: %s:%d:%d", name, p.File, line, column)
	}
	return fmt.Sprintf("agent.prompts.%s: line %d, column %d", name, line, column)
}

func (p Prompts) validate(found *problems) {
	for name, want := range sorted(promptPlaceholders) {
		text := *want.of(&p)
		bad := func(at int, format string, args ...any) {
			found.refuse(true, text.place(name, at)+": "+format, args...)
		}
		has := map[string]bool{}
		for _, m := range placeholder.FindAllStringSubmatchIndex(text.Text, -1) {
			if m[2] < 0 {
				bad(m[0], "{{ without a placeholder: write {{%s}}, or a space between the braces", want.names[0])
				continue
			}
			is := text.Text[m[2]:m[3]]
			column := want.columns && !slices.Contains(fixedPlaceholders, is)
			if has[is] = true; !column && !slices.Contains(want.names, is) {
				bad(m[0], "unknown placeholder {{%s}} (%s)", is, strictyaml.Suggest(is, want.names))
			}
		}
		if name == "user" && !text.IsZero() && len(p.Columns()) == 0 && !has["question"] {
			bad(len(text.Text), "the prompt lacks {{question}}, so all queries would be the same: add it, or a column")
		}
		for _, is := range want.names[:want.needed] {
			if !text.IsZero() && !has[is] {
				bad(len(text.Text), "the prompt lacks the placeholder {{%s}}, so its subject would be missing: add it", is)
			}
		}
	}
}

// effective omits the texts that are not used.
func (p Prompts) effective(a Agent) Prompts {
	out := Prompts{System: Prompt{Text: p.System.Text}, User: Prompt{Text: p.User.Text}}
	if a.Strategy != StrategyPlan {
		return out
	}
	out.NextStep.Text = p.NextStep.Text
	for _, part := range []struct {
		is       Switch
		from, to *Prompt
	}{{a.Plan.Analysis, &p.Analysis, &out.Analysis}, {a.Plan.Reflection, &p.Reflection, &out.Reflection},
		{a.Plan.Synthesis, &p.Synthesis, &out.Synthesis}} {
		if part.is != Off {
			part.to.Text = part.from.Text
		}
	}
	return out
}
