package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A run is resumed with a file that gives some keys: only these are compared with the run's, and not the defaults of the
// others.
func TestResumeWithConfiguration(t *testing.T) {
	folder := t.TempDir()
	runs, file := filepath.Join(folder, "runs"), filepath.Join(folder, "concur.yaml")
	own := "k: 2\nagent: {max_steps: 7, tools: [web_search, calc]}\njudge: {correctness: none}\nlimits: {concurrency: 3}\n" +
		"providers:\n  mine: {kind: openai, base_url: \"http://127.0.0.1:9/v1\", auth: none}\n"
	write(t, file, own)
	if code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "--limit", "2", "--config", file); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, c := range []struct {
		name, file string
		args       []string
		wrong      string // a part of the error; "" if the run is resumed
	}{
		{"its own file", own, nil, ""},
		{"providers alone", own[strings.Index(own, "providers"):], nil, ""},
		{"limits alone", "limits: {concurrency: 9}\n", nil, ""},
		{"nothing", "{}\n", nil, ""},
		{"an equal key", "k: 2\n", nil, ""},
		{"another key", "k: 3\n", nil, "k: 2, now 3; leave them out"},
		{"a flag over the file", "k: 3\n", []string{"-k", "2"}, ""},
		{"a flag beside the file", "agent: {max_steps: 7}\n", []string{"-k", "5"}, "differ: k: 2, now 5; leave them out"},
		{"the default of a key", "agent: {max_steps: 10}\n", nil, "differ: agent.max_steps: 7, now 10; leave them out"},
		{"a judge", "judge: {correctness: same}\n", nil, "judge.correctness: , now same"},
		{"another address", strings.ReplaceAll(own, "127.0.0.1:9", "127.0.0.1:8"), nil, "providers.mine.base_url: http://127.0.0.1:9"},
		{"a part less", "{}\n", []string{"--without", "calc"}, "agent.tools: [web_search calc], now [web_search]"},
		{"a mistake", "agent:\n  max_stps: 7\n", nil, ":2:3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, file, c.file)
			args := append([]string{"run", "--runs-dir", runs, "--quiet", "--resume", "latest", "--config", file}, c.args...)
			code, _, errs := invoke(args...)
			if c.wrong == "" && code != exitOK || c.wrong != "" && (code != exitUsage || !strings.Contains(errs, c.wrong)) {
				t.Errorf("exit %d: %s", code, errs)
			}
		})
	}
}

// The tools of a dataset follow those of the file, when the run begins and when it is resumed.
func TestResumeWithToolsOfADataset(t *testing.T) {
	folder := t.TempDir()
	data, file := filepath.Join(folder, "wells.yaml"), filepath.Join(folder, "concur.yaml")
	write(t, data, "tools:\n  - {name: wells, description: Depths of wells., entry: a place, rows: {Keld: \"7\"}}\n"+
		"queries:\n  - {id: sum, category: c, query: \"What is 2 + 2?\", gold: {type: integer, answer: \"4\"}}\n")
	for tools, other := range map[string]string{"agent: {tools: [calc]}\n": "agent: {tools: [planner]}\n", "k: 3\n": "k: 2\n"} {
		runs := filepath.Join(t.TempDir(), "runs")
		write(t, file, tools)
		args := []string{"run", data, "--runs-dir", runs, "--quiet", "--config", file}
		if code, _, errs := invoke(args...); code != exitOK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		args = append(args, "--resume", "latest")
		if code, _, errs := invoke(args...); code != exitOK {
			t.Errorf("its own file: exit %d: %s", code, errs)
		}
		write(t, file, other)
		if code, _, errs := invoke(args...); code != exitUsage || !strings.Contains(errs, "its settings cannot change") {
			t.Errorf("another file: exit %d: %s", code, errs)
		}
	}
}
