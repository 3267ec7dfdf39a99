package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/runner/assemble"
)

// eachCommand visits every command with its words, such as "baseline add".
func eachCommand(t *testing.T, visit func(words []string, command *cli.Command)) {
	t.Helper()
	var walk func(above []string, commands []*cli.Command)
	walk = func(above []string, commands []*cli.Command) {
		for _, command := range commands {
			words := append(slices.Clone(above), command.Name)
			visit(words, command)
			walk(words, command.Subcommands)
		}
	}
	c := console.Console{Assembler: assemble.New(os.Getenv, assemble.Build{})}
	walk(nil, allCommands(&c))
}

// calls runs a command line in this process, and gives its exit code and what it prints.
func calls(words ...string) (code int, out, failure string) {
	var stdout, stderr bytes.Buffer
	code = run(append([]string{"concur"}, words...), console.Console{
		In: strings.NewReader(""), Out: &stdout, Err: &stderr, Environ: func(string) string { return "" },
	})
	return code, stdout.String(), stderr.String()
}

// TestHelpHidesWhatIsOff: a default that is nothing, such as 0 or false, tells a reader nothing.
func TestHelpHidesWhatIsOff(t *testing.T) {
	off := regexp.MustCompile(`(?m)^.*\(default: (?:0|0s|false|""|\[\])\).*$`)
	lines := [][]string{nil}
	eachCommand(t, func(words []string, _ *cli.Command) { lines = append(lines, words) })
	for _, words := range lines {
		code, out, _ := calls(append(slices.Clone(words), "--help")...)
		if code != exitOK || !strings.Contains(out, "USAGE:") {
			t.Errorf("%q --help: exit %d: %s", words, code, out)
		}
		if shown := off.FindString(out); shown != "" {
			t.Errorf("%q --help shows a default that is off: %s", words, shown)
		}
	}
}

// TestHelpHasExamples: each command that does something shows how it is called.
func TestHelpHasExamples(t *testing.T) {
	eachCommand(t, func(words []string, command *cli.Command) {
		if len(command.Subcommands) > 0 || command.Name == "version" {
			return
		}
		_, out, _ := calls(append(slices.Clone(words), "--help")...)
		if !regexp.MustCompile(`Examples?:\n(?:.*\n)*?.*\bconcur ` + strings.Join(words, " ") + `\b`).MatchString(out) {
			t.Errorf("%q --help has no example of its own:\n%s", words, out)
		}
	})
}

// TestHelpOfJudgingAgainShowsTheRunsSettings: what rejudge and the gate do without a flag is what the run did.
func TestHelpOfJudgingAgainShowsTheRunsSettings(t *testing.T) {
	for command, flags := range map[string][]string{
		"rejudge": {"extract", "extractor", "judge", "calibration", "pass", "threshold", "stages", "concurrency", "tries", "give-up"},
		"gate":    {"concurrency", "tries", "give-up"},
	} {
		_, out, _ := calls(command, "--help")
		for _, flag := range flags {
			if !regexp.MustCompile(`(?m)^ +--` + flag + ` .*\(default: the run's\)`).MatchString(out) {
				t.Errorf("%s --help does not give the run's value as the default of --%s:\n%s", command, flag, out)
			}
		}
	}
}

// TestEmptyValues: an empty value is most often a variable that a script did not set.
func TestEmptyValues(t *testing.T) {
	seen := 0
	eachCommand(t, func(words []string, command *cli.Command) {
		for _, flag := range command.Flags {
			switch flag.(type) {
			case *cli.StringFlag, *cli.StringSliceFlag:
				seen++
			default:
				continue
			}
			for _, value := range []string{"", " "} {
				name := flags.Dashed(flag.Names()[0])
				code, _, failure := calls(append(slices.Clone(words), name, value)...)
				if want := name + " is empty: give a value, or leave the flag out"; code != exitUsage || !strings.Contains(failure, want) {
					t.Errorf("%q %s %q: exit %d, want %q: %s", words, name, value, code, want, failure)
				}
			}
		}
	})
	if seen < 100 {
		t.Errorf("only %d flags take a text", seen)
	}
}

func TestEmptyItems(t *testing.T) {
	for _, line := range [][]string{
		{"run", "--query", "a,,b"}, {"run", "--query", "a", "--query", "b,"}, {"ablate", "--category", ","},
		{"playbook", "curve", "--tag", ",x"}, {"run", "--tools", "calc,"}, {"ask", "--without", "calc,,planner"},
		{"rejudge", "--stages", "exact,"}, {"compare", "--across", ",seed"}, {"baseline", "reset", "--keep", "x, ,y"},
		{"datasets", "check", "--from", "latest,"}, {"datasets", "convert", "--map", "a=b,,c=d"},
	} {
		if code, _, failure := calls(line...); code != exitUsage || !strings.Contains(failure, "has an empty item: fill it in, or remove its comma") {
			t.Errorf("%q: exit %d: %s", line, code, failure)
		}
	}
}

// TestFlagsWithoutEffect: a flag that does nothing beside the others is refused before anything is opened.
func TestFlagsWithoutEffect(t *testing.T) {
	for line, idle := range map[string]string{
		"run --check":                                    "--check goes with --replay RUN",
		"run --resume x --record-missing":                "--record-missing goes with --replay RUN",
		"run --replay x --retry-failed":                  "--retry-failed goes with --resume RUN",
		"run --resume x --allow-seen":                    "--allow-seen has no effect on a run that was begun before",
		"run --rows queries --k-curve":                   "--k-curve has no effect with --rows queries",
		"ablate --retry-failed":                          "--retry-failed goes with --resume RUN",
		"ablate --rows queries --flips":                  "--flips has no effect with --rows queries",
		"ablate --resume x --allow-seen":                 "--allow-seen has no effect on a run that was begun before",
		"playbook curve x --retry-failed":                "--retry-failed has no effect on a new curve",
		"playbook curve x --resume y":                    "finish a curve with `concur ablate --resume y`",
		"compare --series x --flips":                     "--flips has no effect with --series",
		"compare --series x --margin 3":                  "--margin has no effect with --series",
		"compare --series x --across prompt":             "--across has no effect with --series",
		"compare --series x --wide":                      "--wide has no effect with --series",
		"compare x y --pool-runs 3":                      "--pool-runs is for a series of nights",
		"compare x y --rows queries":                     "there is no flag --rows",
		"plan --rate .9 --configuration x":               "--configuration has no effect with --rate",
		"gate x --no-confirm --wait":                     "--wait has no effect with --no-confirm",
		"gate x --no-confirm --budget-usd 3":             "--budget-usd has no effect with --no-confirm",
		"gate simulate --rates 5x0.9 --baseline x.jsonl": "--baseline has no effect with --rates",
		"score a --flips":                                "--flips has no effect on one file",
		"score a --explain":                              "--explain has no effect without --gate FILE",
		"score a --gate b --margin 3":                    "--margin has no effect with --gate",
		"score a --correct ok --gold right":              "--gold has no effect with --correct",
		"score a --config x.yaml":                        "--config has no effect without --extractor, --verify or --judge",
		"judge calibrate a --dataset b":                  "--dataset has no effect without --from RUN",
		"playbook learn x --max-calls 3":                 "--max-calls has no effect without --reflector",
		"ask --judge same Who?":                          "--judge has no effect on a question",
		"ask --concurrency 3 Who?":                       "--concurrency has no effect on a question",
		"ask --quiet --debug Who?":                       "--debug has no effect with --quiet",
	} {
		if code, _, failure := calls(strings.Fields(line)...); code != exitUsage || !strings.Contains(failure, idle) {
			t.Errorf("%s: exit %d, want %q: %s", line, code, idle, failure)
		}
	}
}

// TestFilesAreCompleted: fish completes files where a flag says that it takes one.
func TestFilesAreCompleted(t *testing.T) {
	file := regexp.MustCompile("`(FILE|FOLDER|TEXTS|DATASET|RUN)`")
	found := 0
	eachCommand(t, func(words []string, command *cli.Command) {
		for _, flag := range command.Flags {
			takes := false
			switch f := flag.(type) {
			case *cli.StringFlag:
				takes = f.TakesFile
			case *cli.StringSliceFlag:
				takes = f.TakesFile
			}
			usage := flag.(cli.DocGenerationFlag).GetUsage()
			if names := file.MatchString(usage); names && !takes {
				t.Errorf("%q --%s takes a file, and does not say so: %s", words, flag.Names()[0], usage)
			} else if names {
				found++
			}
		}
	})
	if found < 60 {
		t.Errorf("only %d flags take a file", found)
	}
}

func TestBlankVariablesCountAsNotSet(t *testing.T) {
	for _, name := range []string{"CONCUR_MODEL", "CONCUR_RUNS_DIR", "OTHER_MODEL"} {
		t.Setenv(name, "")
	}
	t.Setenv("CONCUR_K", "5")
	forgetBlank(os.Environ())
	for name, stays := range map[string]bool{"CONCUR_MODEL": false, "CONCUR_RUNS_DIR": false, "OTHER_MODEL": true, "CONCUR_K": true} {
		if _, set := os.LookupEnv(name); set != stays {
			t.Errorf("%s is set: %v", name, set)
		}
	}
}
