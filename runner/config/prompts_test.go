package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// loadPrompts reads a concur.yaml with prompts, and returns the errors.
func loadPrompts(t *testing.T, prompts string) (Configuration, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "concur.yaml")
	if err := os.WriteFile(path, []byte("agent:\n  strategy: plan\n  prompts:\n"+prompts), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path, New())
	if err == nil {
		err = f.Locate(f.Configuration, f.Validate())
	}
	return f.Configuration, err
}

func TestPrompts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "reflection.md")
	if err := os.WriteFile(file, []byte("Look:\n{{results}}\nand {{taks}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	user := filepath.Join(t.TempDir(), "user.txt")
	if err := os.WriteFile(user, []byte("{{question}}\n{{a}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ prompts, want string }{
		{"    analysis: 'Think about {{task}} with {{ tools }}, {{today}}.'\n    system: You are brief.\n    next_step: Go on.\n    synthesis: Write.\n    reflection: '{{results}}'\n", ""},
		{"    analysis: Think.\n", "concur.yaml:4:15: agent.prompts.analysis: line 1, column 7: the prompt lacks the placeholder {{task}}"},
		{"    analysis: |\n      {{task}}\n      ä {{tsak}}\n", "agent.prompts.analysis: line 2, column 3: unknown placeholder {{tsak}} (did you mean \"task\"?)"},
		{"    system: 'for {{task}}'\n", "agent.prompts.system: line 1, column 5: unknown placeholder {{task}} (known: tools, today)"},
		{"    synthesis: 'a {{ b'\n", "agent.prompts.synthesis: line 1, column 3: {{ without a placeholder"},
		{"    reflection: {file: " + file + "}\n", "agent.prompts.reflection: " + file + ":3:5: unknown placeholder {{taks}}"},
		{"    reflection: {file: none.md}\n", "open none.md: no such file"},
		{"    reflection: {files: none.md}\n", "unknown field \"files\""},
		{"    system: 'for {{customer}} of {{ Home Town }}'\n    user: '{{question}} {{größe_2}}'\n", ""},
		{"    user: 'Translate {{text}}'\n", ""},
		{"    user: 'Translate.'\n", "agent.prompts.user: line 1, column 11: the prompt lacks {{question}}, so all queries would be the same"},
		{"    user: '{{question}} {{results}}'\n", "unknown placeholder {{results}} (known: question, tools, today)"},
		{"    system: 'of {{question}}'\n", "agent.prompts.system: line 1, column 4: unknown placeholder {{question}}"},
		{"    user: '{{question}} {{ a'\n", "agent.prompts.user: line 1, column 14: {{ without a placeholder"},
		{"    user: '{{question'\n", "agent.prompts.user: line 1, column 1: {{ without a placeholder"},
		{"    user: '{{}} {{question}}'\n", "agent.prompts.user: line 1, column 1: {{ without a placeholder"},
		{"    user: gone.md\n", "concur.yaml:4:11: agent.prompts.user: read prompt: open gone.md"},
		{"    user: file://gone\n", "read prompt: open gone"},
		{"    user: " + user + "\n", ""},
		{"    user: file://" + user + "\n", ""},
		{"    planning: x\n", "unknown field \"planning\""},
	} {
		_, err := loadPrompts(t, c.prompts)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.prompts, err, c.want)
		}
	}
}

// The text is part of the agent hash, whichever file it comes from, unless it is not used.
func TestPromptsAreHashed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(file, []byte("About {{task}}.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	hash := func(prompts string, change func(*Configuration)) string {
		c, err := loadPrompts(t, prompts)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(&c)
		}
		h, err := c.AgentHash(nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	text, read := "    analysis: 'About {{task}}.'\n", "    analysis: {file: "+file+"}\n"
	none, off := "    {}\n", func(c *Configuration) { c.Agent.Plan.Analysis = Off }
	if hash(text, nil) != hash(read, nil) {
		t.Error("a text and a file with the same text have different hashes")
	}
	if hash(text, nil) == hash(none, nil) || hash(text, nil) == hash("    analysis: 'On {{task}}.'\n", nil) {
		t.Error("another text has the same hash")
	}
	if hash(text, off) != hash(none, off) {
		t.Error("the prompt of a part that is off changes the hash")
	}
}

// Placeholders in inserted texts are not replaced.
func TestFillIsDoneOnce(t *testing.T) {
	got := Prompt{Text: "{{task}} {{ today }} {{results}}"}.Fill(map[string]string{"task": "{{today}} {{task}}", "today": "now"})
	if want := "{{today}} {{task}} now "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestColumns(t *testing.T) {
	p := Prompts{System: Prompt{Text: "{{a}}, {{today}}\n{{ b c }}"}, User: Prompt{Text: "{{question}} {{a}} {{d}}", File: "u.md"},
		Analysis: Prompt{Text: "{{task}} {{e}}"}}
	want := []PromptColumn{{"a", "agent.prompts.system: line 1, column 1"}, {"b c", "agent.prompts.system: line 2, column 1"},
		{"d", "agent.prompts.user: u.md:1:20"}}
	if diff := cmp.Diff(want, p.Columns()); diff != "" {
		t.Error(diff)
	}
	if err := p.CheckColumns("q1", map[string]string{"a": "", "b c": "x", "d": "x"}); err != nil {
		t.Error(err)
	}
	err := p.CheckColumns("q1", map[string]string{"a": "", "b_c": "x", "d": "x"})
	if err == nil || err.Error() != `agent.prompts.system: line 2, column 1: query q1 has no column "b c" (did you mean "b_c"?): add it to the `+
		`query's meta, or correct the name` {
		t.Error(err)
	}
}

// A manifest has texts, also if they look like paths of files, and no file is opened for it.
func TestPromptsInAManifest(t *testing.T) {
	for _, text := range []string{"Be brief.", "notes.md", "file://x", "a\nb.md", ""} {
		raw, err := yaml.Marshal(Prompts{User: Prompt{Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		var back Prompts
		if err := yaml.Unmarshal(raw, &back); err != nil || back.User.Text != text || back.User.File != "" {
			t.Errorf("%q: %+v, %v", text, back, err)
		}
	}
	var back Prompts
	if err := yaml.Unmarshal([]byte("user: {file: /etc/hostname}"), &back); err == nil {
		t.Errorf("a manifest opened a file: %+v", back)
	}
}
