package flags

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/completion"
	"github.com/seed-5817661a/concur/cmd/concur/console"
)

// Stored returns an action that stores the value of a flag; if the flag is not given, the pointer stays nil.
func Stored[T any](at **T) func(*cli.Context, T) error {
	return func(_ *cli.Context, value T) error {
		*at = &value
		return nil
	}
}

// filled returns an action that first checks that no value of a flag is empty. The variable of a script may be
// empty, and the command would then do something that its author did not mean.
func filled[T string | []string](name string, variables []string,
	then func(*cli.Context, T) error) func(*cli.Context, T) error {
	return func(ctx *cli.Context, given T) error {
		values, several := any(given).([]string)
		if !several {
			values = []string{any(given).(string)}
		}
		for _, value := range values {
			if strings.TrimSpace(value) != "" {
				continue
			}
			if slices.Contains(flagsOnLine(ctx), name) {
				return console.Usagef("%s is empty: give a value, or leave the flag out", Dashed(name))
			}
			return console.Usagef("%s is blank: give it a value, or unset it", strings.Join(variables, ", "))
		}
		if then == nil {
			return nil
		}
		return then(ctx, given)
	}
}

// Noted returns an action that records that a flag with a default is given.
func Noted(given *bool) func(*cli.Context, string) error {
	return func(*cli.Context, string) error {
		*given = true
		return nil
	}
}

// Listed returns an action that stores the values of a flag that may be given several times, or as a list with
// commas.
func Listed(name string, at *[]string) func(*cli.Context, []string) error {
	return func(_ *cli.Context, values []string) (err error) {
		*at, err = items(name, values)
		return err
	}
}

// Repeated returns an action that stores the values of a flag that may be given several times.
func Repeated(at *[]string) func(*cli.Context, []string) error {
	return func(_ *cli.Context, values []string) error {
		*at = values
		return nil
	}
}

// items returns the values of a flag one by one. A value may be a list with commas. An empty item is an error,
// because it is probably a variable that has no value.
func items(name string, values []string) ([]string, error) {
	out := []string{}
	for _, list := range values {
		for item := range strings.SplitSeq(list, ",") {
			if item = strings.TrimSpace(item); item == "" {
				return nil, console.Usagef("%s %q has an empty item: fill it in, or remove its comma", Dashed(name), list)
			}
			out = append(out, item)
		}
	}
	return out, nil
}

// Choice returns a flag with a fixed set of values; the first one is the default.
func Choice(at *string, f *cli.StringFlag, values ...string) cli.Flag {
	f.Value, f.Destination = values[0], at
	f.Action = func(_ *cli.Context, given string) error {
		if !slices.Contains(values, given) {
			return console.Usagef("--%s %q is not known here: %s", f.Name, given, strings.Join(values, ", "))
		}
		return nil
	}
	return &completion.WordFlag{StringFlag: f, Words: values}
}

// ValueOr returns the value of a flag; otherwise if the flag is not given.
func ValueOr[T any](given *T, otherwise T) T {
	if given != nil {
		return *given
	}
	return otherwise
}

// WithDefault returns the flags with another default in --help.
func WithDefault(text string, flags ...cli.Flag) []cli.Flag {
	for _, flag := range flags {
		switch f := flag.(type) {
		case *cli.StringFlag:
			f.DefaultText = text
		case *completion.WordFlag:
			f.DefaultText = text
		case *cli.StringSliceFlag:
			f.DefaultText = text
		case *cli.IntFlag:
			f.DefaultText = text
		case *cli.Float64Flag:
			f.DefaultText = text
		case *cli.DurationFlag:
			f.DefaultText = text
		}
	}
	return flags
}
