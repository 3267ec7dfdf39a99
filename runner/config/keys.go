package config

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/secret"
)

// Values of External.Key.
const (
	KeyEnv   = "env"   // in the environment and in the request
	KeyStdin = "stdin" // only in the request
)

// configText is a text in a configuration, with its key, such as agent.exec. If the text is in a list, it also
// has its position there.
type configText struct {
	key   string
	item  int // from 1; 0 outside a list
	value string
}

// place names the text's place without showing the text.
func (t configText) place() string {
	key := secret.Redact(t.key)
	if t.item > 0 {
		return fmt.Sprintf("%s: item %d", key, t.item)
	}
	return key
}

// texts iterates over all texts of a configuration, including the names in its mappings.
func (c Configuration) texts() iter.Seq[configText] {
	raw, err := yaml.Marshal(c)
	var tree any
	if err == nil {
		err = yaml.Unmarshal(raw, &tree)
	}
	if err != nil { // cannot happen: all values are plain
		panic(fmt.Sprintf("encode configuration: %v", err))
	}
	return func(yield func(configText) bool) { walkTexts("", 0, tree, yield) }
}

func walkTexts(key string, item int, v any, yield func(configText) bool) bool {
	switch v := v.(type) {
	case string:
		return yield(configText{key, item, v})
	case []any:
		for i, one := range v {
			if !walkTexts(key, i+1, one, yield) {
				return false
			}
		}
	case map[string]any:
		for name, one := range sorted(v) {
			if !yield(configText{key, item, name}) ||
				!walkTexts(strings.TrimPrefix(key+"."+name, "."), item, one, yield) {
				return false
			}
		}
	}
	return true
}

// wayOut returns advice on how to keep the key out of the file.
func (t configText) wayOut() string {
	section, rest, _ := strings.Cut(t.key, ".")
	name, field, _ := strings.Cut(rest, ".")
	switch {
	case t.key == "agent.exec":
		return "write ${NAME}, name NAME in agent.env, and export the key as NAME"
	case section == "mcp" && field == "command":
		return fmt.Sprintf("write ${NAME}, name NAME in mcp.%s.env, and export the key as NAME", secret.Redact(name))
	case section == "mcp" && field == "url":
		return "write auth: {env: NAME}, and export the key as NAME"
	case t.key == "agent.http", section == "providers" && field != "" && !strings.HasPrefix(field, "auth"):
		return "write ${NAME}, and export the key as NAME"
	case strings.HasSuffix(t.key, "env"):
		return "write the NAME of the variable alone"
	}
	return "leave it out; keys are in the environment alone"
}

// validateKeys reports texts that look like keys. If another error is already about the same text, it does not
// report the text again.
func (c Configuration) validateKeys(p *problems) {
	for t := range c.texts() {
		about := func(e error) bool { return strings.HasPrefix(e.Error(), t.key+" ") }
		if len(secret.Likely(t.value)) > 0 && !slices.ContainsFunc(*p, about) {
			p.refuse(true, "%s looks like a key, which would be written into the run folder: %s",
				t.place(), t.wayOut())
		}
	}
}

// HoldsKey returns an error if the configuration contains one of these keys, in any spelling. The error's
// parts have the form of Validate's.
func (c Configuration) HoldsKey(keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	h := secret.New(keys...)
	var p problems
	for t := range c.texts() {
		p.refuse(h.Hide(t.value) != t.value && len(secret.Likely(t.value)) == 0,
			"%s contains a key of the environment, which would be written into the run folder: %s",
			t.place(), t.wayOut())
	}
	return errors.Join(p...)
}

// PossibleKeys returns warnings about texts that look random and so may be keys. They are only warnings: such
// texts are accepted.
func (c Configuration) PossibleKeys() []string {
	var out []string
	for t := range c.texts() {
		if len(secret.Random(t.value)) > 0 {
			out = append(out, fmt.Sprintf("%s looks random, like a key, and is written into the run folder; "+
				"if it is a key, %s", t.place(), t.wayOut()))
		}
	}
	return slices.Compact(out)
}

// withoutKeys returns the problems with all texts removed that look like a key.
func (p problems) withoutKeys() []error {
	for i, e := range p {
		if text := secret.Redact(e.Error()); text != e.Error() {
			p[i] = errors.New(text)
		}
	}
	return p
}

// variableName matches names of variables that operating systems accept. It does not allow the sign =, and it
// matches few keys.
var variableName = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_().]{0,63}$`)

// shownName matches names that an error message may quote: only capitals, or only small letters without digits.
// Keys do not look like this.
var shownName = lazy.Compile(`^(?:[A-Z_][A-Z0-9_]*|[a-z_]+)$`)

// validateVariables reports texts that are not names of variables. The error does not show the text, because it
// may be a key.
func (p *problems) validateVariables(key string, names []string) {
	for i, name := range names {
		p.refuse(!variableName.MatchString(name),
			"%s: item %d is not the name of a variable: write NAME alone; its value is "+
				"taken from the environment, and is never written here", key, i+1)
	}
}

// ShownVariable returns item i of a list of variables in a form that is safe in an error message.
func ShownVariable(name string, i int) string {
	if shownName.MatchString(name) && secret.Redact(name) == name {
		return name
	}
	return fmt.Sprintf("a variable as item %d", i+1)
}

// shells replace variables themselves.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "cmd", "cmd.exe",
	"powershell", "powershell.exe", "pwsh"}

// FillCommand returns a command in which ${NAME} in the arguments is replaced by the value of the variable, for
// each NAME in names. It also returns these values. The arguments of a shell are not changed, because a shell
// replaces variables itself.
func FillCommand(command, names []string, environ func(string) string) (filled, values []string) {
	if len(command) == 0 || slices.Contains(shells, filepath.Base(command[0])) {
		return command, nil
	}
	for _, argument := range command {
		filled = append(filled, variable.ReplaceAllStringFunc(argument, func(found string) string {
			name := variable.FindStringSubmatch(found)[1]
			if !slices.Contains(names, name) {
				return found
			}
			values = append(values, environ(name))
			return environ(name)
		}))
	}
	return filled, values
}
