package promptfoo

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// test is one test of a configuration, or the default of all tests.
type test struct {
	place       place
	description string
	names       []string // of the variables, in the order of the file
	vars        map[string]any
	asserts     []assertion
	threshold   *float64
	prefix      string
	suffix      string
	meta        map[string]string
	noDefaults  bool   // the assertions of the default do not count
	noLists     bool   // a list of values is one value
	wrong       string // the reason for which no query can be made; "" without one
}

// over returns the test with what it does not give taken from another one, as promptfoo merges them.
func (t test) over(base test) test {
	out := t
	out.vars = maps.Clone(base.vars)
	if out.vars == nil {
		out.vars = map[string]any{}
	}
	maps.Copy(out.vars, t.vars)
	out.names = slices.Clone(base.names)
	for _, name := range t.names {
		if !slices.Contains(out.names, name) {
			out.names = append(out.names, name)
		}
	}
	if !t.noDefaults {
		out.asserts = slices.Concat(base.asserts, t.asserts)
	}
	if t.threshold == nil {
		out.threshold = base.threshold
	}
	out.prefix, out.suffix = cmp.Or(t.prefix, base.prefix), cmp.Or(t.suffix, base.suffix)
	out.meta = maps.Clone(base.meta)
	if out.meta == nil {
		out.meta = map[string]string{}
	}
	maps.Copy(out.meta, t.meta)
	out.noLists, out.wrong = t.noLists || base.noLists, cmp.Or(t.wrong, base.wrong)
	return out
}

// mostTests is the maximum number of tests into which lists of values multiply one test.
const mostTests = 10_000

// each returns one test for each combination of the values of variables that are lists of texts.
func (t test) each() []test {
	out := []test{t}
	if t.noLists {
		return out
	}
	for _, name := range t.names {
		list, is := t.vars[name].([]any)
		if !is || len(list) == 0 {
			continue
		}
		if _, texts := list[0].(string); !texts {
			continue
		}
		if len(out)*len(list) > mostTests {
			t.wrong = fmt.Sprintf("its lists of values make more than %d tests: use fewer", mostTests)
			return []test{t}
		}
		var next []test
		for _, one := range out {
			for _, value := range list {
				made := one
				made.vars = maps.Clone(one.vars)
				made.vars[name] = value
				next = append(next, made)
			}
		}
		out = next
	}
	return out
}

// test reads a test of a YAML or JSON file.
func (r *reader) test(file string, n *yaml.Node) test {
	t := test{place: place{file, n.Line}, vars: map[string]any{}, meta: map[string]string{}}
	for _, f := range fieldsOf(n) {
		if f.value.ShortTag() == "!!null" {
			continue
		}
		switch f.name {
		case "description":
			t.description = f.value.Value
		case "vars":
			r.vars(&t, f.value)
		case "assert":
			t.asserts = r.asserts(file, f.value)
		case "threshold":
			if given, is := numberOf(f.value); is {
				t.threshold = &given
			} else {
				t.wrong = "its threshold is not a number"
			}
		case "options":
			r.options(&t, f.value)
		case "metadata":
			for _, m := range fieldsOf(f.value) {
				t.meta[m.name] = jsonText(plain(m.value))
			}
		case "assertScoringFunction":
			r.lose("", t.place, f.name, "decides by a program: concur takes the mean, or all of them")
		default:
			r.ignore(f.name)
		}
	}
	return t
}

// vars reads the variables of a test: a mapping, or the name of a file with one.
func (r *reader) vars(t *test, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		path := r.files.path(n.Value)
		root, err := r.load(path)
		if n.Kind != yaml.ScalarNode || err != nil || root.Kind != yaml.MappingNode {
			t.wrong = fmt.Sprintf("its variables cannot be read from %.60q: write them in the test", n.Value)
			return
		}
		n = root
	}
	for _, f := range fieldsOf(n) {
		t.names = append(t.names, f.name)
		t.vars[f.name] = plain(f.value)
	}
}

// filled returns the variables with the texts of the files that they name.
func (r *reader) filled(t test) (map[string]any, error) {
	out := maps.Clone(t.vars)
	for name, value := range t.vars {
		if from, is := value.(string); is && strings.HasPrefix(from, "file://") {
			if strings.ContainsAny(from, "*?") {
				return nil, fmt.Errorf("the variable %s names several files: write a test for each", name)
			}
			read, err := r.files.reference(from)
			if err != nil {
				return nil, fmt.Errorf("the variable %s: %w", name, err)
			}
			out[name] = read
		}
	}
	return renderAll(out), nil
}

// options reads the options of a test. Those that neither prompt nor checks need are named as ignored.
func (r *reader) options(t *test, n *yaml.Node) {
	for _, f := range fieldsOf(n) {
		switch f.name {
		case "prefix":
			t.prefix = f.value.Value
		case "suffix":
			t.suffix = f.value.Value
		case "disableDefaultAsserts":
			t.noDefaults = f.value.Value == "true"
		case "disableVarExpansion":
			t.noLists = f.value.Value == "true"
		case "transform", "postprocess":
			r.lose("", t.place, "options."+f.name, "changes the output first: the checks read the message as it came")
		default:
			r.ignore("options." + f.name)
		}
	}
}

// asserts reads a list of assertions.
func (r *reader) asserts(file string, n *yaml.Node) (out []assertion) {
	if n.Kind != yaml.SequenceNode {
		return []assertion{{kind: "assert", wrong: "is not a list", place: place{file, n.Line}}}
	}
	for _, element := range n.Content {
		out = append(out, r.assert(file, element))
	}
	return out
}

func (r *reader) assert(file string, n *yaml.Node) assertion {
	a := assertion{place: place{file, n.Line}}
	if ref := get(n, "$ref"); ref != nil {
		of, is := r.pointed(ref.Value)
		if !is {
			a.kind, a.wrong = ref.Value, "is a reference to nothing in the file"
			return a
		}
		n = of
	}
	if n.Kind != yaml.MappingNode {
		a.kind, a.wrong = n.Value, "is not written as an assertion with a type"
		return a
	}
	for _, f := range fieldsOf(n) {
		if f.value.ShortTag() == "!!null" {
			continue
		}
		switch f.name {
		case "type":
			a.kind = f.value.Value
		case "value":
			a.value = plain(f.value)
		case "threshold", "weight":
			given, is := numberOf(f.value)
			if !is {
				a.wrong = "has a " + f.name + " that is not a number"
			} else if f.name == "weight" {
				a.weight = &given
			} else {
				a.threshold = &given
			}
		case "assert":
			a.parts = r.asserts(file, f.value)
		case "transform", "normalizeUnicode", "config":
			a.wrong = "has " + f.name + ", which concur does not know: write a program for the check exec"
		default:
			r.ignore("assert." + f.name)
		}
	}
	return a
}

// pointed returns the node of a reference within the file, such as #/assertionTemplates/short.
func (r *reader) pointed(reference string) (*yaml.Node, bool) {
	path, local := strings.CutPrefix(reference, "#/")
	n := r.root
	for step := range strings.SplitSeq(path, "/") {
		n = get(n, step)
	}
	return n, local && n != nil && get(n, "$ref") == nil
}
