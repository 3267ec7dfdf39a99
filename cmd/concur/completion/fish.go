package completion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// fishHead defines the condition of each completion. Several commands may have one name, such as check, so the
// condition compares all words up to the subcommand.
const fishHead = `# Completion of concur for fish: save it as concur.fish in ~/.config/fish/completions.

function __concur_at --description 'Whether the line is that of the command $argv[1], and of no subcommand $argv[2..]'
    set -l given (commandline -opc)
    set -e given[1]
    for word in (string split --no-empty ' ' -- $argv[1])
        test "$given[1]" = "$word"; or return 1
        set -e given[1]
    end
    not contains -- "$given[1]" $argv[2..]
end
`

// fishScript returns the script for fish. The script of the cli library mixes the flags of commands with equal names.
func fishScript(app *cli.App) string {
	var b strings.Builder
	b.WriteString(fishHead)
	writeFish(&b, app.Name, "", app.VisibleCommands(), append(slices.Clone(app.VisibleFlags()), cli.HelpFlag))
	return b.String()
}

// writeFish writes the completions of one command: its subcommands (commands) and its flags. Then it writes the
// completions of each subcommand. path has the names of the parent commands and of the command itself,
// separated by blanks.
func writeFish(b *strings.Builder, program, path string, commands []*cli.Command, flags []cli.Flag) {
	condition := "__concur_at " + quoted(path)
	for _, c := range commands {
		condition += " " + strings.Join(c.Names(), " ")
	}
	line := fmt.Sprintf("complete -c %s -n %s", program, quoted(condition))
	fmt.Fprintln(b)
	for _, c := range commands {
		fmt.Fprintf(b, "%s -a %s -d %s\n", line, quoted(strings.Join(c.Names(), " ")), quoted(c.Usage))
	}
	seen := map[string]bool{}
	for _, flag := range flags {
		if f, ok := flag.(cli.DocGenerationFlag); ok && !seen[flag.Names()[0]] {
			seen[flag.Names()[0]] = true
			fmt.Fprintln(b, line+fishFlag(f))
		}
	}
	for _, c := range commands {
		for _, name := range c.Names() {
			below := slices.DeleteFunc(slices.Clone(c.Subcommands), func(s *cli.Command) bool { return s.Hidden })
			writeFish(b, program, strings.TrimSpace(path+" "+name), below, append(c.VisibleFlags(), cli.HelpFlag))
		}
	}
}

// fishFlag returns the options of fish's complete for a flag.
func fishFlag(flag cli.DocGenerationFlag) string {
	var b strings.Builder
	for _, name := range flag.Names() {
		if len(name) == 1 {
			b.WriteString(" -s " + name)
		} else {
			b.WriteString(" -l " + name)
		}
	}
	if flag.TakesValue() {
		b.WriteString(" -r")
	}
	if !takesFile(flag) {
		b.WriteString(" -f")
	}
	if words, ok := flag.(*WordFlag); ok {
		b.WriteString(" -a " + quoted(strings.Join(words.Words, " ")))
	}
	return b.String() + " -d " + quoted(strings.ReplaceAll(flag.GetUsage(), "`", ""))
}

func takesFile(flag cli.Flag) bool {
	switch f := flag.(type) {
	case *cli.StringFlag:
		return f.TakesFile
	case *cli.StringSliceFlag:
		return f.TakesFile
	}
	return false
}

// quoted writes a text as a word of fish, in which only \ and ' have to be escaped.
func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
