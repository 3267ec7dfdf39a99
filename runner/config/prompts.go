package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Prompts are the user's texts that replace concur's prompts. A text for a part that the strategy does not
// have, or that is off, is ignored.
type Prompts struct {
	// System states the purpose of the agent, under every strategy. concur adds its text about tools, evidence
	// and the form of the answer.
	System Prompt `yaml:"system,omitempty"`
	// The other prompts belong to the strategy plan. NextStep describes how a round is chosen.
	Analysis   Prompt `yaml:"analysis,omitempty"`
	NextStep   Prompt `yaml:"next_step,omitempty"`
	Reflection Prompt `yaml:"reflection,omitempty"`
	Synthesis  Prompt `yaml:"synthesis,omitempty"`
}

// Prompt is a text with placeholders such as {{task}}. In YAML it is a text, or {file: PATH} for a text in a
// file, relative to the working directory.
type Prompt struct {
	Text string
	File string // the file that Text was read from, for messages; may be ""
}

// maxPrompt is the maximum size in bytes of a file of a prompt.
const maxPrompt = 256 << 10

// UnmarshalNode reads a text, or the file of a text.
func (p *Prompt) UnmarshalNode(n *yaml.Node) error {
	*p = Prompt{}
	if n.Kind == yaml.ScalarNode {
		return strictyaml.DecodeNode(n, &p.Text)
	}
	var from struct {
		File string `yaml:"file"`
	}
	if err := strictyaml.DecodeNode(n, &from); err != nil {
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

// UnmarshalYAML does the same as UnmarshalNode, for plain decoders.
func (p *Prompt) UnmarshalYAML(n *yaml.Node) error { return p.UnmarshalNode(n) }

// MarshalYAML writes the text, so that the content is part of the agent hash and of manifests.
func (p Prompt) MarshalYAML() (any, error) { return p.Text, nil }

// IsZero reports whether concur's own text is used.
func (p Prompt) IsZero() bool { return p.Text == "" }

// placeholder matches {{name}}, and a bare {{ so that it can be reported.
var placeholder = lazy.Compile(`\{\{(?:[ \t]*([A-Za-z_]{1,32})[ \t]*\}\})?`)

// Fill replaces placeholders by texts, once: a placeholder in an inserted text is not replaced.
func (p Prompt) Fill(texts map[string]string) string {
	return placeholder.ReplaceAllStringFunc(p.Text,
		func(found string) string { return texts[placeholder.FindStringSubmatch(found)[1]] })
}

// promptPlaceholders lists the placeholders of each prompt, and how many of them are required.
var promptPlaceholders = map[string]struct {
	of     func(*Prompts) *Prompt
	needed int
	names  []string
}{
	"system":     {func(p *Prompts) *Prompt { return &p.System }, 0, []string{"tools", "today"}},
	"analysis":   {func(p *Prompts) *Prompt { return &p.Analysis }, 1, []string{"task", "tools", "today"}},
	"next_step":  {func(p *Prompts) *Prompt { return &p.NextStep }, 0, []string{"tools", "today"}},
	"reflection": {func(p *Prompts) *Prompt { return &p.Reflection }, 1, []string{"results", "task", "today"}},
	"synthesis":  {func(p *Prompts) *Prompt { return &p.Synthesis }, 0, []string{"task", "today"}},
}

// Files returns the files that prompts were read from, by the names of the prompts.
func (p Prompts) Files() map[string]string {
	out := map[string]string{}
	for name, of := range promptPlaceholders {
		if file := of.of(&p).File; file != "" {
			out[name] = file
		}
	}
	return out
}

func (p Prompts) validate(found *problems) {
	for name, want := range sorted(promptPlaceholders) {
		text := *want.of(&p)
		bad := func(at int, format string, args ...any) {
			line := 1 + strings.Count(text.Text[:at], "\n")
			column := 1 + utf8.RuneCountInString(text.Text[1+strings.LastIndexByte(text.Text[:at], '\n'):at])
			place := fmt.Sprintf("agent.prompts.%s: line %d, column %d", name, line, column)
			if text.File != "" {
				place = fmt.Sprintf("agent.prompts.%s: %s:%d:%d", name, text.File, line, column)
			}
			found.refuse(true, place+": "+format, args...)
		}
		has := map[string]bool{}
		for _, m := range placeholder.FindAllStringSubmatchIndex(text.Text, -1) {
			if m[2] < 0 {
				bad(m[0], "{{ without a placeholder: write {{%s}}, or a space between the braces", want.names[0])
				continue
			}
			is := text.Text[m[2]:m[3]]
			if has[is] = true; !slices.Contains(want.names, is) {
				bad(m[0], "unknown placeholder {{%s}} (%s)", is, strictyaml.Suggest(is, want.names))
			}
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
	out := Prompts{System: Prompt{Text: p.System.Text}}
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
