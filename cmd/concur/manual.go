package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/series"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/corpus"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

//go:embed commands.txt
var commandTexts string

// manual is what commands.txt has: commands with their arguments, flags and texts, in the order of --help.
type manual struct {
	names    []string // of sections: a command with the one above it, or a group of flags, which begins with @
	sections map[string]section
	shared   map[string]flagLine // flags of groups by their names, of two with one name the first
}

// section has the heading "# NAME: ARGUMENTS = WHAT THEY ARE".
type section struct {
	arguments, takes, usage, description string
	flags                                []flagLine
}

var readManual = sync.OnceValue(func() manual {
	m := manual{sections: map[string]section{}}
	for text := range strings.SplitSeq(strings.TrimPrefix(placeholders().Replace(commandTexts), "# "), "\n# ") {
		heading, text, _ := strings.Cut(text, "\n")
		name, arguments, _ := strings.Cut(heading, ": ")
		arguments, takes, _ := strings.Cut(arguments, " = ")
		usage, text, _ := strings.Cut(text, "\n")
		s := section{arguments: strings.TrimSpace(arguments), takes: takes, usage: usage}
		for line := range strings.Lines(text) {
			if flag, is := readFlag(line); is {
				s.flags = append(s.flags, flag)
			} else {
				s.description += line
			}
		}
		s.description = strings.TrimSpace(s.description)
		m.names, m.sections[name] = append(m.names, name), s
	}
	m.shared = map[string]flagLine{}
	for _, l := range slices.Concat(m.sections["@all"].flags, m.flags("@configuration"), m.sections["@judging"].flags) {
		if _, have := m.shared[l.name]; !have {
			m.shared[l.name] = l
		}
	}
	return m
})

// checkArguments refuses too few arguments, or too many: those in brackets may be left out, and
// one with an ellipsis repeated.
func (s section) checkArguments(ctx *cli.Context) error {
	required := optionalArguments.ReplaceAllString(s.arguments, "")
	least, most := len(strings.Fields(required)), len(strings.Fields(s.arguments))
	if ctx.IsSet(flagResume) { // which names the run in place of the argument
		least = 0
	}
	if strings.Contains(s.arguments, "…") {
		most = math.MaxInt
	}
	n, name := ctx.NArg(), ctx.Command.HelpName
	if n >= least && n <= most {
		return nil
	}
	takes := cmp.Or(s.takes, s.arguments, "no argument")
	if s.takes == "" && strings.HasPrefix(s.arguments, "RUN") {
		takes += fmt.Sprintf("; `%s latest` takes the newest run", name)
	}
	if n > 0 {
		takes += fmt.Sprintf(" (given: %s)", strings.Join(ctx.Args().Slice(), " "))
	}
	return usagef("%s takes %s", strings.TrimPrefix(name, "concur "), takes)
}

var optionalArguments = regexp.MustCompile(`\[.*?\]`)

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
	l, known := m.shared[name]
	if !known {
		panic("commands.txt: no section has the flag " + name) // which the first test would meet
	}
	return l
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
		"{{level}}", fmt.Sprint(learn.DefaultLevel), "{{margin}}", fmt.Sprint(ablations.DefaultMargin), "{{seriespool}}", fmt.Sprint(series.DefaultPool),
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
