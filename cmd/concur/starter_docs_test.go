//go:build docs

package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/cmd/concur/starter"
)

// workflow is what a test needs of a file for GitHub Actions.
type workflow struct {
	Permissions map[string]string `yaml:"permissions"`
	Env         map[string]string `yaml:"env"`
	Jobs        map[string]struct {
		Steps []step `yaml:"steps"`
	} `yaml:"jobs"`
}

const installStep = "install" // needs the network, and is not run

// TestStarter runs what init wrote as a CI would: every step, in order, in a clean clone.
func TestStarter(t *testing.T) {
	origin := starterRepository(t)
	if raw, err := os.ReadFile(filepath.Join(origin, ".gitattributes")); err != nil || !strings.Contains(string(raw), "baseline.jsonl merge=union") {
		t.Errorf("git merges the baseline by hand: %q, %v", raw, err)
	}
	raw, err := os.ReadFile(filepath.Join(origin, filepath.FromSlash(starter.Workflow)))
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(raw, &w); err != nil {
		t.Fatal(err)
	}
	if len(w.Jobs) != 2 || len(w.Jobs["replay"].Steps) == 0 || len(w.Jobs["gate"].Steps) == 0 {
		t.Fatalf("the jobs are not replay and gate: %v", w.Jobs)
	}
	if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
		t.Errorf("the workflow may do more than read: %v", w.Permissions)
	}

	for name, job := range w.Jobs {
		t.Run(name, func(t *testing.T) {
			ci := newMachine(t, origin)
			for _, s := range job.Steps {
				if s.Run == "" || s.ID == installStep {
					continue
				}
				if code, out := ci.run(s.Run, s.Env); code != exitOK {
					t.Fatalf("step %q: exit %d\n%s", s.Name, code, out)
				}
			}
		})
	}
	t.Run("without calc", func(t *testing.T) {
		brokenAgentFails(t, origin, w.Jobs["gate"].Steps, "calc", "calc-product", "calc-rivers", "calc-schubert")
	})
	t.Run("without search", func(t *testing.T) {
		brokenAgentFails(t, origin, w.Jobs["gate"].Steps, "web_search", "retrieval-sputnik", "retrieval-fuji", "hop-fidelio", "hop-winter-journey", "hop-rivers")
	})
	t.Run("dead endpoint", func(t *testing.T) { deadEndpointIsReported(t, origin, w.Jobs["gate"].Steps) })
	t.Run("new queries", func(t *testing.T) { newQueriesGetHistory(t, origin, w.Jobs["gate"].Steps) })
	t.Run("gitlab", func(t *testing.T) { gitLabPasses(t, origin) })
	t.Run("action", func(t *testing.T) { actionPasses(t, origin) })
}

// brokenAgentFails takes a tool away and expects the gate to name the queries that need it.
func brokenAgentFails(t *testing.T, origin string, steps []step, tool string, queries ...string) {
	ci := newMachine(t, origin, "CONCUR_WITHOUT="+tool)
	before := ci.read(starter.Baseline)
	for _, s := range steps {
		if s.Run == "" || s.ID == installStep {
			continue
		}
		code, out := ci.run(s.Run, s.Env)
		if code == exitOK {
			continue
		}
		if !strings.Contains(s.Run, "concur gate") || code != 1 {
			t.Fatalf("step %q: exit %d\n%s", s.Name, code, out)
		}
		if !strings.Contains(out, "REGRESSION") {
			t.Errorf("the gate does not say REGRESSION:\n%s", out)
		}
		for _, query := range queries {
			if !strings.Contains(out, query) {
				t.Errorf("the gate does not name %s:\n%s", query, out)
			}
		}
		if summary := ci.read("summary.md"); !strings.Contains(summary, "REGRESSION") {
			t.Errorf("the job's summary does not say REGRESSION:\n%s", summary)
		}
		if junit := ci.read("concur-junit.xml"); !strings.Contains(junit, "<failure") {
			t.Errorf("the JUnit report has no failure:\n%s", junit)
		}
		if ci.read(starter.Baseline) != before {
			t.Error("the run entered the baseline")
		}
		return // the steps behind it are not run
	}
	t.Error("an agent without one of its tools passed")
}

// deadEndpointIsReported runs an agent whose model does not answer: the run ends with 3, and so
// does the gate, with a report where a CI looks.
func deadEndpointIsReported(t *testing.T, origin string, steps []step) {
	ci := newMachine(t, origin, "CONCUR_MODEL=openai:gone", "CONCUR_CORPUS=offline", "CONCUR_TRIES=1", "OPENAI_BASE_URL=http://127.0.0.1:1/v1", "OPENAI_API_KEY=none")
	for _, s := range steps {
		if s.Run == "" || s.ID == installStep {
			continue
		}
		code, out := ci.run(s.Run, s.Env)
		if s.ID != "gate" {
			if code != exitOK {
				t.Fatalf("step %q: exit %d\n%s", s.Name, code, out)
			}
			continue
		}
		if code != exitInvalid {
			t.Errorf("the gate ends with %d\n%s", code, out)
		}
		break
	}
	if junit := ci.read("concur-junit.xml"); !strings.Contains(junit, "<error") {
		t.Errorf("the JUnit report has no error:\n%s", junit)
	}
	if output := ci.read("output"); output != "code=3\n" {
		t.Errorf("the step's output is %q", output)
	}
}

// newQueriesGetHistory replaces all queries: the gate is INCONCLUSIVE until two runs of the new
// ones are accepted, which the workflow does by itself.
func newQueriesGetHistory(t *testing.T, origin string, steps []step) {
	ci := newMachine(t, origin)
	if err := os.WriteFile(filepath.Join(ci.dir, starter.Queries), []byte(sums), 0o600); err != nil {
		t.Fatal(err)
	}
	for night, want := range []int{4, 4, exitOK} {
		ci.env = append(ci.env, fmt.Sprintf("GITHUB_RUN_NUMBER=%d", 10+night))
		for _, s := range steps {
			if s.Run == "" || s.ID == installStep {
				continue
			}
			code, out := ci.run(s.Run, s.Env)
			if s.ID == "gate" && code != want || s.ID != "gate" && code != exitOK {
				t.Fatalf("night %d, step %q: exit %d\n%s", night+1, s.Name, code, out)
			}
			if s.ID == "accept" && !strings.Contains(out, "accepted ") {
				t.Errorf("night %d: %s", night+1, out)
			}
		}
	}
}

// gitLabPasses runs the scripts of the file for GitLab in docs/ci.md.
func gitLabPasses(t *testing.T, origin string) {
	var jobs map[string]struct {
		Script []string `yaml:"script"`
	}
	if err := yaml.Unmarshal([]byte(fenced(t, "# .gitlab-ci.yml")), &jobs); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"replay", "gate"} {
		if len(jobs[name].Script) == 0 {
			t.Errorf("the file for GitLab has no job %s", name)
		}
		ci := newMachine(t, origin)
		for _, line := range jobs[name].Script {
			if code, out := ci.run(line, map[string]string{"CI_PIPELINE_SOURCE": "schedule", "CI_PIPELINE_IID": "4"}); code != exitOK {
				t.Fatalf("%s: %s: exit %d\n%s", name, line, code, out)
			}
		}
	}
}

// actionPasses runs the steps of action.yml with the inputs that it has by default. Its
// output is this gate's decision, and not that of one before it.
func actionPasses(t *testing.T, origin string) {
	a := readAction(t)
	ci := newMachine(t, origin)
	ci.shell = "bash" // as each step of the action says
	run := func(changed map[string]string) (code int, out string) {
		for _, s := range a.Runs.Steps {
			if s.Run == "" || s.ID == installStep {
				continue
			}
			env := map[string]string{}
			for name, value := range s.Env {
				env[name] = inputOf.ReplaceAllStringFunc(value, func(ref string) string {
					return a.Inputs[inputOf.FindStringSubmatch(ref)[1]].Default
				})
			}
			for name, value := range changed {
				if _, has := env[name]; has {
					env[name] = value
				}
			}
			if code, out = ci.run(s.Run, env); code != exitOK {
				return code, out
			}
		}
		return code, out
	}
	wrote := ""
	for _, c := range []struct {
		changed map[string]string
		code    int
		output  string
	}{
		{nil, exitOK, "decision=PASS\n"},
		{map[string]string{"BASELINE": "nosuch.jsonl"}, exitUsage, ""},
		{map[string]string{"SEED": "2000", "BASELINE": "none.jsonl"}, 4, "decision=INCONCLUSIVE\n"},
	} {
		if err := os.WriteFile(filepath.Join(ci.dir, "none.jsonl"), []byte("{\"schema\":\"concur/baseline/v2\"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out := run(c.changed); code != c.code {
			t.Fatalf("%v: exit %d, want %d\n%s", c.changed, code, c.code, out)
		}
		wrote += c.output
		if got := ci.read("output"); got != wrote {
			t.Errorf("%v: the action's outputs are %q, want %q", c.changed, got, wrote)
		}
	}
	ci.env = append(ci.env, "CONCUR_WITHOUT=calc")
	if code, out := run(map[string]string{"SEED": "2001"}); code != exitRegression {
		t.Fatalf("without calc: exit %d\n%s", code, out)
	}
	if got := ci.read("output"); got != wrote+"decision=REGRESSION\n" {
		t.Errorf("the action's outputs are %q", got)
	}
}

// starterRepository makes what init wrote a repository with one commit.
func starterRepository(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing: %v", program, err)
		}
	}
	dir := t.TempDir()
	if code, _, errs := invoke("init", dir); code != exitOK {
		t.Fatalf("init: exit %d\n%s", code, errs)
	}
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "Start")
	if ignored := git(t, dir, "status", "--porcelain", "--ignored"); ignored != "" {
		t.Errorf("not all is committed: %s", ignored)
	}
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// machine is a fresh machine of a CI with a clone of a repository.
type machine struct {
	t     *testing.T
	dir   string
	env   []string
	shell string // "" means sh
}

func newMachine(t *testing.T, origin string, env ...string) *machine {
	t.Helper()
	home := t.TempDir()
	r := &machine{t: t, dir: filepath.Join(home, "checkout")}
	git(t, home, "clone", "--quiet", origin, r.dir)
	r.env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "CI=true",
		"GITHUB_ACTIONS=true", "GITHUB_RUN_NUMBER=7", "GITHUB_RUN_ATTEMPT=1", "GITHUB_EVENT_NAME=schedule",
		"GITHUB_REF=refs/heads/main", "GITHUB_REF_NAME=main", "GITHUB_WORKSPACE=" + r.dir, "RUNNER_TEMP=" + home,
		"GITHUB_STEP_SUMMARY=" + filepath.Join(r.dir, "summary.md"), "GITHUB_OUTPUT=" + filepath.Join(r.dir, "output"),
	}, env...)
	return r
}

// run runs a script as GitHub does, and gives its exit code and all that it printed.
func (r *machine) run(script string, env map[string]string) (int, string) {
	r.t.Helper()
	cmd := exec.Command(cmp.Or(r.shell, "sh"), "-e", "-c", script)
	cmd.Dir, cmd.Env = r.dir, slices.Clone(r.env)
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		r.t.Fatalf("run %q: %v", script, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (r *machine) read(name string) string {
	r.t.Helper()
	raw, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(raw)
}
