package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/cmd/concur/starter"
	"github.com/seed-5817661a/concur/runner/store"
)

type step struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	If    string            `yaml:"if"`
	Uses  string            `yaml:"uses"`
	With  map[string]any    `yaml:"with"`
	Run   string            `yaml:"run"`
	Shell string            `yaml:"shell"`
	Dir   string            `yaml:"working-directory"`
	Env   map[string]string `yaml:"env"`
}

// fenced is the block of YAML in docs/ci.md that begins with a line.
func fenced(t *testing.T, first string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(docsDir, "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "```yaml\n"+first)
	block, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatalf("docs/ci.md has no block that begins with %q", first)
	}
	return first + block
}

// TestWorkflowInDocs holds docs/ci.md to what init writes.
func TestWorkflowInDocs(t *testing.T) {
	template, err := starter.Template(starter.Workflow)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(template), "\n")
	if fenced(t, first) != string(template) {
		t.Error("the workflow in docs/ci.md is not cmd/concur/starter/files/concur.yml")
	}
	if !strings.Contains(string(template), "\n  CONCUR_VERSION: latest #") {
		t.Error("the workflow has no version to be replaced")
	}
	for _, action := range regexp.MustCompile(`uses: (\S+)`).FindAllStringSubmatch(string(template), -1) {
		if !regexp.MustCompile(`^actions/[a-z-]+@v[0-9]+$`).MatchString(action[1]) {
			t.Errorf("%s is not pinned to a major version", action[1])
		}
	}
}

type action struct {
	Name, Description string
	Branding          map[string]string
	Inputs            map[string]struct{ Description, Default string }
	Outputs           map[string]struct{ Description, Value string }
	Runs              struct {
		Using string
		Steps []step
	}
}

var inputOf = regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+) \}\}`)

func readAction(t *testing.T) action {
	t.Helper()
	raw, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestActionShape checks what GitHub would refuse, and what a stranger's input could abuse.
func TestActionShape(t *testing.T) {
	a := readAction(t)
	if a.Name == "" || a.Description == "" || a.Runs.Using != "composite" {
		t.Errorf("the action has name %q, description %q and runs %q", a.Name, a.Description, a.Runs.Using)
	}
	for name, in := range a.Inputs {
		if in.Description == "" {
			t.Errorf("the input %s has no description", name)
		}
	}
	ids, used := map[string]bool{}, map[string]bool{}
	for _, s := range a.Runs.Steps {
		ids[s.ID] = true
		if (s.Run == "") == (s.Uses == "") || s.Run != "" && s.Shell == "" {
			t.Errorf("the step %q neither uses an action nor runs a script in a shell", s.ID+s.Uses)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("the step %s builds its script of what others say: pass it as a variable", s.ID)
		}
		values := []string{s.Dir}
		for _, v := range s.Env {
			values = append(values, v)
		}
		for _, v := range values {
			for _, ref := range inputOf.FindAllStringSubmatch(v, -1) {
				used[ref[1]] = true
				if _, ok := a.Inputs[ref[1]]; !ok {
					t.Errorf("the step %s takes the input %s, which is not declared", s.ID, ref[1])
				}
			}
		}
	}
	for name := range a.Inputs {
		if !used[name] {
			t.Errorf("no step takes the input %s", name)
		}
	}
	if d := a.Outputs["decision"]; !ids["gate"] || d.Value != "${{ steps.gate.outputs.decision }}" {
		t.Errorf("the output decision is %q", d.Value)
	}
}

// TestShellQuoted asks a shell.
func TestShellQuoted(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	for _, word := range []string{"plain/path-1.x", "two words", "it's", `$(id) "quoted"`, "~", "größe"} {
		out, err := exec.Command("sh", "-c", "printf %s "+store.ShellQuoted(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q is read as %q: %v", word, out, err)
		}
	}
}
