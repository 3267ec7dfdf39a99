package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

const defaultDataset = "gold29" // used if neither an argument nor a configuration names a dataset

// settings holds the parts of the configuration that flags and their variables set.
type settings struct {
	file    string    // value of --config
	corpus  string    // value of --corpus
	prompt  string    // value of --prompt
	without []string  // parts to remove
	given   []setting // in the order of the flags
}

// setting is a key of the configuration that a flag or its variable sets.
type setting struct {
	flag, variable string
	onLine         bool // set by the flag, not by its variable
	set            func(*config.Configuration)
}

// give adds a key that is set.
func (s *settings) give(ctx *cli.Context, flag string, variables []string, set func(*config.Configuration)) {
	s.given = append(s.given, setting{flag, strings.Join(variables, ", "), slices.Contains(flagsOnLine(ctx), flag), set})
}

// override sets the given keys in a configuration.
func (s *settings) override(c *config.Configuration) {
	for _, key := range s.given {
		key.set(c)
	}
}

// gives reports whether a flag or its variable sets its key.
func (s *settings) gives(flag string) bool {
	return slices.ContainsFunc(s.given, func(key setting) bool { return key.flag == flag })
}

// agent returns the given keys that may change the agent or its results.
func (s *settings) agent() []setting {
	limits := limitFlags(&settings{})
	return slices.DeleteFunc(slices.Clone(s.given), func(key setting) bool { return flagNamed(limits, key.flag) != nil })
}

// defaults returns the configuration without a file and flags. --help shows its values.
var defaults = sync.OnceValue(config.New)

// textKey returns a flag that sets a key of the configuration to a text; the functions below do the same for
// numbers, times and lists.
func textKey(s *settings, f *cli.StringFlag, set func(*config.Configuration, string)) cli.Flag {
	f.Action = keyHook(s, f.Name, f.EnvVars, set)
	return f
}

// wordKey returns a textKey with a fixed set of words, which the shell can complete. The configuration refuses
// other words.
func wordKey[T ~string](s *settings, f *cli.StringFlag, words []T, set func(*config.Configuration, T)) cli.Flag {
	textKey(s, f, func(c *config.Configuration, v string) { set(c, T(v)) })
	flag := &completion.WordFlag{StringFlag: f}
	for _, word := range words {
		flag.Words = append(flag.Words, string(word))
	}
	return flag
}

func wholeKey(s *settings, f *cli.IntFlag, set func(*config.Configuration, int)) cli.Flag {
	f.Action = keyHook(s, f.Name, f.EnvVars, set)
	return f
}

func numberKey(s *settings, f *cli.Float64Flag, set func(*config.Configuration, float64)) cli.Flag {
	f.Action = keyHook(s, f.Name, f.EnvVars, set)
	return f
}

func timeKey(s *settings, f *cli.DurationFlag, set func(*config.Configuration, time.Duration)) cli.Flag {
	f.Action = keyHook(s, f.Name, f.EnvVars, set)
	return f
}

func listKey(s *settings, f *cli.StringSliceFlag, set func(*config.Configuration, []string)) cli.Flag {
	f.Action = func(ctx *cli.Context, values []string) error {
		list, err := items(f.Name, values)
		s.give(ctx, f.Name, f.EnvVars, func(c *config.Configuration) { set(c, list) })
		return err
	}
	return f
}

// withoutKey returns --without, which removes parts after all other keys are set.
func withoutKey(s *settings, f *cli.StringSliceFlag) cli.Flag {
	f.Action = func(ctx *cli.Context, values []string) (err error) {
		s.without, err = items(f.Name, values)
		s.give(ctx, f.Name, f.EnvVars, func(*config.Configuration) {})
		return err
	}
	return f
}

func keyHook[T any](s *settings, name string, variables []string,
	set func(*config.Configuration, T)) func(*cli.Context, T) error {
	return func(ctx *cli.Context, value T) error {
		s.give(ctx, name, variables, func(c *config.Configuration) { set(c, value) })
		return nil
	}
}

// readConfiguration returns the validated configuration: flags and environment override the configuration file,
// which overrides the defaults.
//
// source is the dataset to run; "" for a command without a dataset.
func readConfiguration(c *console.Console, s *settings, source string) (config.Configuration, error) {
	f, inFile := s.fromFile(assemble.DefaultsFor(source))
	if inFile == nil {
		inFile = s.choosePrompt(&f)
	}
	conf, inFlags := s.fromFlags(f.Configuration)
	conf, inPaths := assemble.WithCorpus(conf, source)
	conf = conf.Completed()
	inValues, inTools := f.Locate(conf, conf.Validate()), f.Locate(conf, c.Assembler.CheckTools(conf))
	if err := errors.Join(inFile, inFlags, inPaths, inValues, inTools,
		f.Locate(conf, c.Assembler.CheckKeys(conf))); err != nil { // reports all errors together
		return conf, console.Usagef("%w", err)
	}
	for _, flag := range s.withoutEffect(f.Configuration, source, conf) {
		c.Note(dashed(flag) + " has no effect with the other settings: leave it out")
	}
	return conf, nil
}

// withoutEffect returns the flags on the command line that change the configuration but have no effect, such as
// --corpus for an agent without tools. This is not an error, so that a script can use the same flags for all
// strategies.
func (s *settings) withoutEffect(base config.Configuration, source string, made config.Configuration) (flags []string) {
	for i, key := range s.given {
		if !key.onLine {
			continue
		}
		others := *s
		others.given = slices.Delete(slices.Clone(s.given), i, i+1)
		without, wrong := others.fromFlags(base)
		without, unread := assemble.WithCorpus(without, source)
		without = without.Completed()
		if wrong == nil && unread == nil && !reflect.DeepEqual(without, made) &&
			reflect.DeepEqual(without.Effective(), made.Effective()) {
			flags = append(flags, key.flag)
		}
	}
	return flags
}

// configurationFile returns the named file, or concur.yaml if it exists, or "".
func (s *settings) configurationFile() string {
	path := s.file
	if _, err := os.Stat("concur.yaml"); path == "" && err == nil {
		path = "concur.yaml"
	}
	return path
}

// fromFile returns c, overridden by the named file or concur.yaml. If the file has errors, its valid keys are
// applied.
func (s *settings) fromFile(c config.Configuration) (config.File, error) {
	path := s.configurationFile()
	if path == "" {
		return config.File{Configuration: c}, nil
	}
	f, err := config.Load(path, c)
	if f.HasTests() {
		f.Dataset = path
	} else if f.Dataset != "" && !slices.Contains(datasets.Builtin(), f.Dataset) && !filepath.IsAbs(f.Dataset) {
		f.Dataset = filepath.Join(filepath.Dir(path), f.Dataset)
	}
	return f, err
}

// choosePrompt applies a named prompt of a file to the file's configuration. If no prompt is named, it applies
// the first one.
func (s *settings) choosePrompt(f *config.File) (err error) {
	chosen, found := f.Prompts.Find(s.prompt)
	switch {
	case s.prompt != "" && len(f.Prompts) == 0:
		return fmt.Errorf("--prompt %s: concur.yaml has no prompts: add prompts: {%[1]s: TEXT}, or leave the flag out",
			s.prompt)
	case s.prompt != "" && !found:
		return fmt.Errorf("--prompt %s: concur.yaml has no such prompt: name one of %s", s.prompt, f.Prompts.Names())
	case len(f.Prompts) == 0:
		return nil
	case !found:
		chosen = f.Prompts[0]
	}
	f.Configuration, err = f.Set(chosen.Settings())
	return err
}

// datasetOr returns the named dataset. Without a name, it returns the dataset of the configuration file, which
// may be the file itself, or else the built-in one.
func (s *settings) datasetOr(named string) string {
	if named != "" {
		return named
	}
	f, _ := s.fromFile(config.New()) // configuration reports errors in the file
	return cmp.Or(f.Dataset, defaultDataset)
}

func (s *settings) fromFlags(c config.Configuration) (config.Configuration, error) {
	s.override(&c)
	// The default judges of an offline model can be removed too.
	for name, spec := range map[string]*string{"judge.correctness": &c.Judge.Correctness,
		"judge.quality": &c.Judge.Quality} {
		if *spec == "" && config.IsOffline(c.Model) && slices.Contains(s.without, name) {
			*spec = config.SameModel
		}
	}
	return c.Without(s.without...)
}

// runSettings returns the configuration of a run, overridden by the file of --config and by flags.
func runSettings(c *console.Console, given *tracesOptions, m store.Manifest) (config.Configuration, error) {
	asked := m.Configurations[0].Configuration
	if given.file != "" {
		for _, spec := range []*string{&asked.Judge.Correctness, &asked.Judge.Quality} {
			*spec = cmp.Or(*spec, config.NoModel) // keep the run's lack of a model and apply no default
		}
		f, err := given.fromFile(asked)
		if err != nil {
			return asked, err
		}
		asked = f.Configuration.Completed()
		if file := &asked.Agent.Playbook.File; *file != "" {
			if *file, err = filepath.Abs(*file); err != nil {
				return asked, err
			}
		}
	}
	given.override(&asked)
	for _, name := range given.without {
		if less, err := asked.Without(name); err == nil { // otherwise the run never had the part
			asked = less
		}
	}
	return assemble.WithCorpus(asked, m.Dataset.Source)
}

// configurationOf returns the named configuration of a baseline. If the baseline has only one, no name is
// needed.
func configurationOf(file, name string, b *baseline.Baseline) (string, error) {
	known := b.Configurations()
	switch {
	case len(known) == 0:
		return "", console.Usagef("the baseline %s has no runs; accept some with `concur baseline add RUN`", file)
	case name == "" && len(known) == 1:
		return known[0], nil
	case !slices.Contains(known, name):
		return "", console.Usagef("the baseline %s has runs of %s, and not of %q: name one with --configuration", file,
			strings.Join(known, ", "), name)
	}
	return name, nil
}

// blame returns a sentence about flags and variables that may make a valid spec invalid, because they override
// its base: -k 1 makes the row k=1 equal to the baseline.
func blame(keys []setting) string {
	var given []string
	for _, key := range keys {
		given = append(given, fmt.Sprintf("--%s (or %s)", key.flag, key.variable))
	}
	if len(given) == 0 {
		return ""
	}
	return fmt.Sprintf("\nif the spec itself is valid, the cause is %s, which overrides the base of every row: leave "+
		"it out, or change the rows", strings.Join(given, ", "))
}
