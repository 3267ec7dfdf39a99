package flags

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

	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
)

// DefaultDataset is used if neither an argument nor a configuration names a dataset.
const DefaultDataset = "gold29"

// Settings holds the parts of the configuration that flags and their variables set.
type Settings struct {
	File    string    // value of --config
	Corpus  string    // value of --corpus
	Prompt  string    // value of --prompt
	Without []string  // parts to remove
	Given   []Setting // in the order of the flags
}

// Setting is a key of the configuration that a flag or its variable sets.
type Setting struct {
	Flag, Variable string
	OnLine         bool // set by the flag, not by its variable
	Set            func(*config.Configuration)
}

// give adds a key that is set.
func (s *Settings) give(ctx *cli.Context, flag string, variables []string, set func(*config.Configuration)) {
	s.Given = append(s.Given, Setting{flag, strings.Join(variables, ", "), slices.Contains(flagsOnLine(ctx), flag), set})
}

// Override sets the given keys in a configuration.
func (s *Settings) Override(c *config.Configuration) {
	for _, key := range s.Given {
		key.Set(c)
	}
}

// Gives reports whether a flag or its variable sets its key.
func (s *Settings) Gives(flag string) bool {
	return slices.ContainsFunc(s.Given, func(key Setting) bool { return key.Flag == flag })
}

// Agent returns the given keys that may change the agent or its results.
func (s *Settings) Agent() []Setting {
	limits := LimitGroup(&Settings{})
	return slices.DeleteFunc(slices.Clone(s.Given), func(key Setting) bool { return Named(limits, key.Flag) != nil })
}

// defaults returns the configuration without a file and flags. --help shows its values.
var defaults = sync.OnceValue(config.New)

// textKey returns a flag that sets a key of the configuration to a text; the functions below do the same for
// numbers, times and lists.
func textKey(s *Settings, f *cli.StringFlag, set func(*config.Configuration, string)) cli.Flag {
	f.Action = keyHook(s, f.Name, f.EnvVars, set)
	return f
}

// wordKey returns a textKey with a fixed set of words, which the shell can complete. The configuration refuses
// other words.
func wordKey[T ~string](s *Settings, f *cli.StringFlag, words []T, set func(*config.Configuration, T)) cli.Flag {
	textKey(s, f, func(c *config.Configuration, v string) { set(c, T(v)) })
	flag := &completion.WordFlag{StringFlag: f}
	for _, word := range words {
		flag.Words = append(flag.Words, string(word))
	}
	return flag
}

// WholeKey returns a flag that sets a key of the configuration to a whole number.
func WholeKey(s *Settings, f *cli.IntFlag, set func(*config.Configuration, int)) cli.Flag {
	f.Action = keyHook(s, f.Name, f.EnvVars, set)
	return f
}

func numberKey(s *Settings, f *cli.Float64Flag, set func(*config.Configuration, float64)) cli.Flag {
	f.Action = keyHook(s, f.Name, f.EnvVars, set)
	return f
}

func timeKey(s *Settings, f *cli.DurationFlag, set func(*config.Configuration, time.Duration)) cli.Flag {
	f.Action = keyHook(s, f.Name, f.EnvVars, set)
	return f
}

func listKey(s *Settings, f *cli.StringSliceFlag, set func(*config.Configuration, []string)) cli.Flag {
	f.Action = func(ctx *cli.Context, values []string) error {
		list, err := items(f.Name, values)
		s.give(ctx, f.Name, f.EnvVars, func(c *config.Configuration) { set(c, list) })
		return err
	}
	return f
}

// withoutKey returns --without, which removes parts after all other keys are set.
func withoutKey(s *Settings, f *cli.StringSliceFlag) cli.Flag {
	f.Action = func(ctx *cli.Context, values []string) (err error) {
		s.Without, err = items(f.Name, values)
		s.give(ctx, f.Name, f.EnvVars, func(*config.Configuration) {})
		return err
	}
	return f
}

func keyHook[T any](s *Settings, name string, variables []string,
	set func(*config.Configuration, T)) func(*cli.Context, T) error {
	return func(ctx *cli.Context, value T) error {
		s.give(ctx, name, variables, func(c *config.Configuration) { set(c, value) })
		return nil
	}
}

// ReadConfiguration returns the validated configuration: flags and environment override the configuration file,
// which overrides the defaults.
//
// source is the dataset to run; "" for a command without a dataset.
func ReadConfiguration(c *console.Console, s *Settings, source string) (config.Configuration, error) {
	f, inFile := s.FromFile(kinds.DefaultsFor(source))
	if inFile == nil {
		inFile = s.ChoosePrompt(&f)
	}
	conf, inFlags := s.FromFlags(f.Configuration)
	conf, inPaths := assemble.WithCorpus(conf, source)
	conf = conf.Completed()
	inValues, inTools := f.Locate(conf, conf.Validate()), f.Locate(conf, c.Assembler.CheckTools(conf))
	if err := errors.Join(inFile, inFlags, f.Locate(conf, inPaths), inValues, inTools,
		f.Locate(conf, c.Assembler.CheckKeys(conf))); err != nil { // reports all errors together
		return conf, console.Usagef("%w", err)
	}
	c.Assembler.SetPlaces(func(now config.Configuration, key string) string { return f.Place(conf, now, key) })
	for _, flag := range s.withoutEffect(f.Configuration, source, conf) {
		c.Note(Dashed(flag) + " has no effect with the other settings: leave it out")
	}
	return conf, nil
}

// withoutEffect returns the flags on the command line that change the configuration but have no effect, such as
// --corpus for an agent without tools. This is not an error, so that a script can use the same flags for all
// strategies.
func (s *Settings) withoutEffect(base config.Configuration, source string, made config.Configuration) (flags []string) {
	for i, key := range s.Given {
		if !key.OnLine {
			continue
		}
		others := *s
		others.Given = slices.Delete(slices.Clone(s.Given), i, i+1)
		without, wrong := others.FromFlags(base)
		without, unread := assemble.WithCorpus(without, source)
		without = without.Completed()
		if wrong == nil && unread == nil && !reflect.DeepEqual(without, made) &&
			reflect.DeepEqual(without.Effective(), made.Effective()) {
			flags = append(flags, key.Flag)
		}
	}
	return flags
}

// ConfigurationFile returns the named file, or concur.yaml if it exists, or "".
func (s *Settings) ConfigurationFile() string {
	path := s.File
	if _, err := os.Stat("concur.yaml"); path == "" && err == nil {
		path = "concur.yaml"
	}
	return path
}

// FromFile returns c, overridden by the named file or concur.yaml. If the file has errors, its valid keys are
// applied.
func (s *Settings) FromFile(c config.Configuration) (config.File, error) {
	path := s.ConfigurationFile()
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

// ChoosePrompt applies a named prompt of a file to the file's configuration. If no prompt is named, it applies
// the first one.
func (s *Settings) ChoosePrompt(f *config.File) (err error) {
	chosen, found := f.Prompts.Find(s.Prompt)
	switch {
	case s.Prompt != "" && len(f.Prompts) == 0:
		return fmt.Errorf("--prompt %s: concur.yaml has no prompts: add prompts: {%[1]s: TEXT}, or leave the flag out",
			s.Prompt)
	case s.Prompt != "" && !found:
		return fmt.Errorf("--prompt %s: concur.yaml has no such prompt: name one of %s", s.Prompt, f.Prompts.Names())
	case len(f.Prompts) == 0:
		return nil
	case !found:
		chosen = f.Prompts[0]
	}
	f.Configuration, err = f.Set(chosen.Settings())
	return err
}

// DatasetOr returns the named dataset. Without a name, it returns the dataset of the configuration file, which
// may be the file itself, or else the built-in one.
func (s *Settings) DatasetOr(named string) string {
	if named != "" {
		return named
	}
	f, _ := s.FromFile(config.New()) // configuration reports errors in the file
	return cmp.Or(f.Dataset, DefaultDataset)
}

// FromFlags returns c, overridden by flags and variables.
func (s *Settings) FromFlags(c config.Configuration) (config.Configuration, error) {
	s.Override(&c)
	// The default judges of an offline model can be removed too.
	for name, spec := range map[string]*string{"judge.correctness": &c.Judge.Correctness,
		"judge.quality": &c.Judge.Quality} {
		if *spec == "" && config.IsOffline(c.Model) && slices.Contains(s.Without, name) {
			*spec = config.SameModel
		}
	}
	return c.Without(s.Without...)
}

// JudgingOf returns the change of a configuration that flags and a file request.
func JudgingOf(given *Settings) (func(*config.Configuration), error) {
	file, wrong := given.FromFile(config.New())
	named := given.File != ""
	if named && wrong != nil {
		return nil, console.Usagef("%w", wrong)
	}
	return func(c *config.Configuration) {
		if named {
			c.Extract, c.Extractor = file.Extract, file.Extractor
			c.Judge, c.Verifier, c.Consensus, c.Pass = file.Judge, file.Verifier, file.Consensus, file.Pass
		}
		given.Override(c)
		for _, spec := range []*string{&c.Judge.Correctness, &c.Judge.Quality} {
			if *spec == "" && !named { // keep the run's choice and apply no default
				*spec = config.NoModel
			}
		}
		*c = c.Completed()
	}, nil
}
