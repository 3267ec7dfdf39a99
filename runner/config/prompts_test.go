package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	for _, c := range []struct{ prompts, want string }{
		{"    analysis: 'Think about {{task}} with {{ tools }}, {{today}}.'\n    system: You are brief.\n    next_step: Go on.\n    synthesis: Write.\n    reflection: '{{results}}'\n", ""},
		{"    analysis: Think.\n", "concur.yaml:4:15: agent.prompts.analysis: line 1, column 7: the prompt lacks the placeholder {{task}}"},
		{"    analysis: |\n      {{task}}\n      ä {{tsak}}\n", "agent.prompts.analysis: line 2, column 3: unknown placeholder {{tsak}} (did you mean \"task\"?)"},
		{"    system: 'for {{task}}'\n", "agent.prompts.system: line 1, column 5: unknown placeholder {{task}} (known: tools, today)"},
		{"    synthesis: 'a {{ b'\n", "agent.prompts.synthesis: line 1, column 3: {{ without a placeholder"},
		{"    reflection: {file: " + file + "}\n", "agent.prompts.reflection: " + file + ":3:5: unknown placeholder {{taks}}"},
		{"    reflection: {file: none.md}\n", "open none.md: no such file"},
		{"    reflection: {files: none.md}\n", "unknown field \"files\""},
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
