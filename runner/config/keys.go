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
	KeyStdin = "stdin" // in the request alone
)

// text is a text of a configuration, with the key that has it: agent.exec, and which item of a list it is.
type configText struct {
	key   string
	item  int // from 1; 0 of no list
	value string
}

// place names the text without showing it.
func (t configText) place() string {
	key := secret.Redact(t.key)
	if t.item > 0 {
		return fmt.Sprintf("%s: item %d", key, t.item)
	}
	return key
}

// texts ranges over all texts of a configuration, also the names in its mappings.
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

// wayOut returns advice on how to avoid the key.
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

// validateKeys refuses texts that look like keys, unless another error is about them.
func (c Configuration) validateKeys(p *problems) {
	for t := range c.texts() {
		about := func(e error) bool { return strings.HasPrefix(e.Error(), t.key+" ") }
		if len(secret.Likely(t.value)) > 0 && !slices.ContainsFunc(*p, about) {
			p.refuse(true, "%s looks like a key, which would be written into the run's folder: %s",
				t.place(), t.wayOut())
		}
	}
}

// HoldsKey refuses a configuration with one of these keys, in whatever spelling. Its findings are as those of Validate.
func (c Configuration) HoldsKey(keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	h := secret.New(keys...)
	var p problems
	for t := range c.texts() {
		p.refuse(h.Hide(t.value) != t.value && len(secret.Likely(t.value)) == 0,
			"%s holds a key of the environment, which would be written into the run's folder: %s",
			t.place(), t.wayOut())
	}
	return errors.Join(p...)
}

// PossibleKeys warn of texts that may be keys, as they look drawn at random. They are used.
func (c Configuration) PossibleKeys() []string {
	var out []string
	for t := range c.texts() {
		if len(secret.Random(t.value)) > 0 {
			out = append(out, fmt.Sprintf("%s looks random, as a key does, and is written into the run's folder; "+
				"if it is a key, %s", t.place(), t.wayOut()))
		}
	}
	return slices.Compact(out)
}

// withoutKeys returns the problems with everything removed that looks like a key.
func (p problems) withoutKeys() []error {
	for i, e := range p {
		if text := secret.Redact(e.Error()); text != e.Error() {
			p[i] = errors.New(text)
		}
	}
	return p
}

// variableName matches names of variables that operating systems accept: no =, and few keys.
var variableName = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_().]{0,63}$`)

// shownName matches names that an error may quote: capitals, or small letters without digits, as no key is.
var shownName = lazy.Compile(`^(?:[A-Z_][A-Z0-9_]*|[a-z_]+)$`)

// validateVariables refuses texts that are not names of variables, without showing them.
func (p *problems) validateVariables(key string, names []string) {
	for i, name := range names {
		p.refuse(!variableName.MatchString(name),
			"%s: item %d is not the name of a variable: write NAME alone; its value is "+
				"taken from the environment, and is never written here", key, i+1)
	}
}

// ShownVariable is item i of a list of variables as an error may show it.
func ShownVariable(name string, i int) string {
	if shownName.MatchString(name) && secret.Redact(name) == name {
		return name
	}
	return fmt.Sprintf("a variable as item %d", i+1)
}

// shells fill in variables themselves.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "cmd", "cmd.exe",
	"powershell", "powershell.exe", "pwsh"}

// FillCommand returns a command with the values of ${NAME} in its arguments, for each NAME in names, and these
// values. A shell inserts them itself, from its environment.
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
