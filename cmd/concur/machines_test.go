package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/runner/store"
)

// machinesPage returns the fenced blocks beneath a heading of docs/machines.md.
func machinesPage(t *testing.T, heading string) []string {
	t.Helper()
	raw, err := os.ReadFile("../../docs/machines.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut("\n"+string(raw), "\n"+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$").FindAllStringSubmatch(section, -1) {
		out = append(out, m[1])
	}
	if !found || len(out) == 0 {
		t.Fatalf("docs/machines.md has no examples beneath %q", heading)
	}
	return out
}

// shop is a folder with a dataset, in which the examples of docs/machines.md run.
type shop struct {
	*testing.T
	folder string
}

func newShop(t *testing.T) shop {
	t.Helper()
	if testing.Short() {
		t.Skip("processes of their own, in which nothing is shared with this one")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	s := shop{t, t.TempDir()}
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, "- {id: q%d, category: sums, query: \"What is %d + %d?\", gold: {type: integer, answer: \"%d\"}}\n",
			i, i, i, 2*i)
	}
	write(t, filepath.Join(s.folder, "queries.yaml"), b.String())
	return s
}

// run runs a script with further variables.
func (s shop) run(script string, variables ...string) {
	s.Helper()
	c := exec.Command("bash", "-ec", script)
	c.Dir, c.Env = s.folder, append(os.Environ(), variables...)
	if out, err := c.CombinedOutput(); err != nil {
		s.Fatalf("%s\n%v: %s", script, err, out)
	}
}

// check compares the merged run with the whole run, of which it has the figures.
func (s shop) check() {
	s.Helper()
	s.run("concur run queries.yaml --seed 4711 --runs-dir whole --quiet")
	whole, merged := newest(s.T, filepath.Join(s.folder, "whole")), openedRun(s.T, filepath.Join(s.folder, "runs/night"))
	if merged.Manifest.State != store.Complete || merged.Manifest.Dataset.Queries != 6 {
		s.Errorf("%+v", merged.Manifest)
	}
	if diff := cmp.Diff(records(s.T, whole), records(s.T, merged)); diff != "" {
		s.Errorf("records (-whole +merged):\n%s", diff)
	}
}

func TestMachinesByHand(t *testing.T) {
	s := newShop(t)
	s.run(machinesPage(t, "## Shards")[0])
	s.check()
}

// A Slurm array starts the script once for every task, with variables that name it.
func TestMachinesSlurm(t *testing.T) {
	s := newShop(t)
	script := machinesPage(t, "## Slurm")[0]
	array := regexp.MustCompile(`#SBATCH --array=(\d+)-(\d+)\n`).FindStringSubmatch(script)
	if array == nil {
		t.Fatal("the script is of no array")
	}
	var from, to int
	fmt.Sscan(array[1], &from)
	fmt.Sscan(array[2], &to)
	for task := from; task <= to; task++ {
		s.run(script, fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", task), "SLURM_ARRAY_TASK_MIN="+array[1],
			"SLURM_ARRAY_TASK_MAX="+array[2], "SLURM_ARRAY_TASK_STEP=1", fmt.Sprintf("SLURM_ARRAY_TASK_COUNT=%d", to-from+1))
	}
	s.run("concur merge --into runs/night shards/*")
	s.check()
}

func TestMachinesParallel(t *testing.T) {
	scripts := machinesPage(t, "## GNU parallel")
	for program, script := range map[string]string{"parallel": scripts[0], "xargs": scripts[1]} {
		t.Run(program, func(t *testing.T) {
			if !strings.Contains(script, "| "+program+" ") {
				t.Fatalf("the script does not call %s:\n%s", program, script)
			}
			if _, err := exec.LookPath(program); err != nil {
				t.Skip(program + " is not installed")
			}
			s := newShop(t)
			s.run(script)
			s.check()
		})
	}
}

func TestMachinesActions(t *testing.T) {
	s := newShop(t)
	var w struct {
		Jobs map[string]struct {
			Needs    string
			Strategy struct{ Matrix struct{ Shard []int } }
			Steps    []struct{ ID, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(machinesPage(t, "## GitHub Actions")[0]), &w); err != nil {
		t.Fatal(err)
	}
	if len(w.Jobs) != 2 || w.Jobs["merge"].Needs != "shard" || len(w.Jobs["shard"].Strategy.Matrix.Shard) < 2 {
		t.Fatalf("the jobs are not shards and their merge: %+v", w.Jobs)
	}
	for _, shard := range w.Jobs["shard"].Strategy.Matrix.Shard {
		for _, step := range w.Jobs["shard"].Steps {
			if step.ID != "install" {
				s.run(strings.ReplaceAll(step.Run, "${{ matrix.shard }}", fmt.Sprint(shard)))
			}
		}
	}
	for _, step := range w.Jobs["merge"].Steps {
		if step.ID != "install" {
			s.run(step.Run)
		}
	}
	s.check()
	if raw, err := os.ReadFile(filepath.Join(s.folder, "night.md")); err != nil || !strings.Contains(string(raw), "6/6") {
		t.Errorf("%v: %s", err, raw)
	}
}

func TestMachinesGitLab(t *testing.T) {
	s := newShop(t)
	var jobs map[string]struct {
		Parallel int
		Script   []string
	}
	if err := yaml.Unmarshal([]byte(machinesPage(t, "## GitLab CI")[0]), &jobs); err != nil {
		t.Fatal(err)
	}
	of := jobs["shard"].Parallel
	for i := 1; i <= of; i++ {
		s.run(strings.Join(jobs["shard"].Script, "\n"), fmt.Sprintf("CI_NODE_INDEX=%d", i),
			fmt.Sprintf("CI_NODE_TOTAL=%d", of))
	}
	s.run(strings.Join(jobs["merge"].Script, "\n"))
	s.check()
}

// The command of the Job's container is run for every pod, in the folder of its volume.
func TestMachinesKubernetes(t *testing.T) {
	s := newShop(t)
	text := machinesPage(t, "## Kubernetes")[0]
	var job struct {
		Spec struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int
			Template       struct {
				Spec struct{ Containers []struct{ Command []string } }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(text), &job); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(text, "\n"); job.Spec.CompletionMode != "Indexed" || lines > 22 {
		t.Fatalf("%d lines, mode %s", lines, job.Spec.CompletionMode)
	}
	for pod := range job.Spec.Completions {
		s.run(strings.Join(job.Spec.Template.Spec.Containers[0].Command, " "), fmt.Sprintf("JOB_COMPLETION_INDEX=%d", pod))
	}
	s.run("concur merge --into runs/night shards/*")
	s.check()
}
