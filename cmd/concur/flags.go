package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/corpus"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
	"github.com/seed-5817661a/concur/runner/store"
)

// Flag names that several commands share.
const (
	flagBaseline      = "baseline"
	flagConfig        = "config"
	flagConfiguration = "configuration"
	flagCorpus        = "corpus"
	flagDataset       = "dataset"
	flagFormat        = "format"
	flagFrom          = "from"
	flagOut           = "out"
	flagPartial       = "partial"
	flagQuiet         = "quiet"
	flagResume        = "resume"
	flagRetryFailed   = "retry-failed"
	flagRunsDir       = "runs-dir"
	flagYes           = "yes"
)

// flagLine is a flag as commands.txt has it: "--NAME (KIND=VALUE) USAGE (default: SHOWN) [$VARIABLE]". Without a
// KIND it is a text if the usage has a placeholder in backquotes, else a switch. A VALUE such as a|b lists all that
// the flag takes, the default first.
type flagLine struct {
	name, kind, value, usage, shown, variable string

	with []string // in place of all else: flags and groups of other sections
}

var flagForm = regexp.MustCompile(
	`^  --(\S+) (?:\((\w*)(?:=(\S+))?\) )?(.*?)(?: \(default: (.*)\))?(?: \[\$(\w+)\])?\n?$`)

func readFlag(line string) (f flagLine, is bool) {
	if names, with := strings.CutPrefix(line, "  with "); with {
		return flagLine{with: strings.Fields(names)}, true
	}
	m := flagForm.FindStringSubmatch(line)
	if m == nil {
		return f, false
	}
	f = flagLine{name: m[1], kind: m[2], value: m[3], usage: m[4], shown: m[5], variable: m[6]}
	if f.kind == "" {
		f.kind = "switch"
		if strings.Contains(f.usage, "`") {
			f.kind = "text"
		}
	}
	return f, true
}

// flags are those of a section, with those that it takes from others: of two with one name the first.
func (m manual) flags(section string) (out []flagLine) {
	for _, line := range m.sections[section].flags {
		found := []flagLine{line}
		if line.with != nil {
			found = nil
		}
		for _, name := range line.with {
			if strings.HasPrefix(name, "@") {
				found = append(found, m.flags(name)...)
			} else {
				found = append(found, m.flag(name))
			}
		}
		for _, l := range found {
			if !slices.ContainsFunc(out, func(have flagLine) bool { return have.name == l.name }) {
				out = append(out, l)
			}
		}
	}
	return out
}

// flag is one that several commands share.
func (m manual) flag(name string) flagLine {
	for _, l := range slices.Concat(m.sections["@all"].flags, m.flags("@configuration"), m.sections["@judging"].flags) {
		if l.name == name {
			return l
		}
	}
	panic("commands.txt: no section has the flag " + name) // which the first test would meet
}

// kinds are the types of flags, which have fields alike.
var kinds = map[string]reflect.Type{
	"switch": reflect.TypeFor[cli.BoolFlag](),
	"text":   reflect.TypeFor[cli.StringFlag](),
	"list":   reflect.TypeFor[cli.StringSliceFlag](),
	"int":    reflect.TypeFor[cli.IntFlag](),
	"int64":  reflect.TypeFor[cli.Int64Flag](),
	"float":  reflect.TypeFor[cli.Float64Flag](),
	"time":   reflect.TypeFor[cli.DurationFlag](),
}

// flag makes the flag of a line.
func (l flagLine) flag() cli.Flag {
	made := reflect.New(kinds[l.kind])
	set := func(field string, value any) { made.Elem().FieldByName(field).Set(reflect.ValueOf(value)) }
	choices := strings.Split(l.value, "|")
	set("Name", l.name)
	set("Usage", strings.Replace(l.usage, "{{choices}}", strings.Join(choices, ", "), 1))
	set("DefaultText", l.shown)
	if l.variable != "" {
		set("EnvVars", []string{l.variable})
	}
	if l.value != "" {
		_, _ = fmt.Sscan(choices[0], made.Elem().FieldByName("Value").Addr().Interface()) // --help shows it
	}
	if len(choices) > 1 {
		set("Action", func(_ *cli.Context, given string) error {
			if !slices.Contains(choices, given) {
				return usagef("--%s %q is not known here: %s", l.name, given, strings.Join(choices, ", "))
			}
			return nil
		})
	}
	return made.Interface().(cli.Flag)
}

// placeholders are what commands.txt leaves to be filled in: what is known of other packages, and the defaults
// of settings by their names.
func placeholders() *strings.Replacer {
	pairs := []string{
		"{{datasets}}", strings.Join(datasets.Builtin(), ", "), "{{specs}}", strings.Join(ablations.Presets(), ", "),
		"{{mappings}}", strings.Join(datasets.Mappings(), ", "), "{{differences}}", strings.Join(ablations.Hidden(), ", "),
		"{{imports}}", strings.Join(imports.Formats(), ", "), "{{passage}}", strconv.Itoa(corpus.MaxPassage),
		"{{guards}}", "guard." + strings.Join(config.Guards(), ", guard."),
		"{{traces}}", strconv.Itoa(config.DefaultTraces), "{{loopback}}", strconv.Itoa(assemble.LoopbackStart),
		"{{alpha}}", fmt.Sprint(gate.DefaultAlpha), "{{simulations}}", strconv.Itoa(gate.DefaultSimulations),
		"{{level}}", fmt.Sprint(learn.DefaultLevel), "{{margin}}", fmt.Sprint(ablations.DefaultMargin),
	}
	defaults := config.New()
	for _, s := range settings() {
		value := reflect.ValueOf(s.at(&defaults)).Elem().Interface()
		if list, is := value.([]string); is {
			value = strings.Join(list, ",")
		}
		pairs = append(pairs, "{{"+s.name+"}}", fmt.Sprint(value))
	}
	return strings.NewReplacer(pairs...)
}

// list is the value of a flag that may be given several times or as a list with commas.
func list(ctx *cli.Context, name string) []string {
	out := []string{}
	for item := range strings.SplitSeq(strings.Join(ctx.StringSlice(name), ","), ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// newDraft is a new run of configurations over the queries that flags select from a dataset.
func newDraft(ctx *cli.Context, source string, confs []config.Configuration) (runner.Draft, error) {
	selection, err := selected(ctx)
	if err != nil {
		return runner.Draft{}, err
	}
	data, of, err := cmp.Or(selection, &runner.Selection{}).Open(source)
	if err != nil {
		return runner.Draft{}, err
	}
	d, err := runner.NewDraft(data, of, confs, givenSeed(ctx), time.Now())
	d.Manifest.GitCommit, d.AllowSeen = gitCommit(ctx.Context), ctx.Bool("allow-seen")
	return d, err
}

// selected is the selection of queries by flags; nil without such a flag.
func selected(ctx *cli.Context) (s *runner.Selection, err error) {
	if !slices.ContainsFunc([]string{"query", "category", "tag", "limit", "failed-in", "sample"}, ctx.IsSet) {
		return nil, nil
	}
	s = &runner.Selection{
		Filter: store.Filter{Queries: list(ctx, "query"), Categories: list(ctx, "category"), Tags: list(ctx, "tag"), Limit: ctx.Int("limit")},
		Sample: ctx.Int("sample"), Seed: ctx.Int64("seed"),
	}
	for _, name := range []string{"limit", "sample"} {
		if n := ctx.Int(name); ctx.IsSet(name) && n < 1 {
			return nil, usagef("--%s is %d: it must be at least 1", name, n)
		}
	}
	if name := ctx.String("failed-in"); name != "" {
		if s.FailedIn, err = store.Find(ctx.String(flagRunsDir), name); err != nil {
			return nil, usagef("--failed-in: %w", err)
		}
	}
	return s, nil
}

func givenSeed(ctx *cli.Context) *int64 {
	if !ctx.IsSet("seed") {
		return nil
	}
	return new(ctx.Int64("seed"))
}

// gitCommit is the commit of the working directory; nil outside a git repository.
func gitCommit(ctx context.Context) *string {
	if sha, err := gitOutput(ctx, "rev-parse", "HEAD"); err == nil {
		return &sha
	}
	return nil
}

func gitOutput(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	raw, err := exec.CommandContext(ctx, "git", args...).Output()
	return strings.TrimSpace(string(raw)), err
}

// mayReplace refuses a file, folder or link that is there, unless --force is given; devices and pipes are written to.
func mayReplace(ctx *cli.Context, file string) error {
	info, err := os.Stat(file)
	if err != nil { // of a link that leads nowhere, the link itself
		info, err = os.Lstat(file)
	}
	if err == nil && info.Mode()&(os.ModeDevice|os.ModeNamedPipe) == 0 && !ctx.Bool("force") {
		return usagef("write %s: there is such a file already; choose another name, or replace it with --force", file)
	}
	return nil
}
