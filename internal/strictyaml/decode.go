package strictyaml

import (
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// Unmarshaler is implemented by types with a special form in YAML. Aliases in n are resolved. Errors made by
// [Errorf] or returned by [DecodeNode] keep their place; any other error is reported at n.
type Unmarshaler interface {
	UnmarshalNode(n *yaml.Node) error
}

// Decode reads the only YAML document in data into the value that into points to. The file name is only for
// messages. The error is an [Errors] with all findings; into then has the values that could be read.
func Decode(file string, data []byte, into any) error {
	root, err := parse(file, data)
	if err != nil {
		return err
	}
	return DecodeAt(file, "", root, into).Err()
}

// DecodeNode reads a node that an [Unmarshaler] or a yaml.Node field received, by the same rules. Its findings
// have no file, and their paths begin at n.
func DecodeNode(n *yaml.Node, into any) error { return DecodeAt("", "", n, into).Err() }

// DecodeAt does the same as DecodeNode for a node at a path of a file, and adds both to the findings. They are
// in the order of reading.
func DecodeAt(file, path string, n *yaml.Node, into any) Errors {
	return new(Decoder).DecodeAt(file, path, n, into)
}

// Decoder decodes many nodes into the same types, which it inspects only once. The zero value is ready to use,
// but not by several goroutines at the same time.
type Decoder struct {
	plans map[reflect.Type]*plan
}

// DecodeAt does the same as the function DecodeAt.
func (many *Decoder) DecodeAt(file, path string, n *yaml.Node, into any) Errors {
	if many.plans == nil {
		many.plans = map[reflect.Type]*plan{}
	}
	d := decoder{file: file, plans: many.plans}
	d.value(n, path, reflect.ValueOf(into).Elem())
	return d.errs
}

// decoder walks through the node tree and the Go type together and collects findings.
type decoder struct {
	file  string
	errs  Errors
	plans map[reflect.Type]*plan
}

func (d *decoder) fail(n *yaml.Node, path, format string, args ...any) {
	d.errs = append(d.errs, adopt(Errorf(n, format, args...), d.file, path, n)...)
}

func (d *decoder) value(n *yaml.Node, path string, out reflect.Value) {
	switch out.Type() {
	case reflect.TypeFor[yaml.Node]():
		out.Set(reflect.ValueOf(n).Elem())
		return
	case reflect.TypeFor[*yaml.Node]():
		out.Set(reflect.ValueOf(n))
		return
	}
	if out.CanAddr() && out.Addr().CanInterface() {
		if hook, ok := out.Addr().Interface().(Unmarshaler); ok {
			if err := hook.UnmarshalNode(n); err != nil {
				d.errs = append(d.errs, adopt(err, d.file, path, n)...)
			}
			return
		}
	}
	if !plainTag(n) {
		d.fail(n, path, "the tag %s is not supported", n.Tag)
		return
	}
	switch out.Kind() {
	case reflect.Pointer:
		d.pointer(n, path, out)
	case reflect.Interface:
		d.untyped(n, path, out)
	case reflect.Struct:
		d.structure(n, path, out)
	case reflect.Map:
		d.mapping(n, path, out)
	case reflect.Slice:
		d.sequence(n, path, out)
	default:
		d.scalar(n, path, out)
	}
}

func (d *decoder) pointer(n *yaml.Node, path string, out reflect.Value) {
	if isNull(n) {
		out.SetZero()
		return
	}
	if out.IsNil() {
		out.Set(reflect.New(out.Type().Elem()))
	}
	d.value(n, path, out.Elem())
}

func (d *decoder) sequence(n *yaml.Node, path string, out reflect.Value) {
	if n.Kind != yaml.SequenceNode {
		hint := ""
		if words := strings.Fields(n.Value); n.Kind == yaml.ScalarNode && out.Type().Elem().Kind() == reflect.String &&
			len(words) > 0 {
			hint = fmt.Sprintf(": write [%s]", strings.Join(words, ", "))
		}
		d.fail(n, path, "expected a list, found %s%s", Describe(n), hint)
		return
	}
	list := reflect.MakeSlice(out.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		d.value(item, fmt.Sprintf("%s[%d]", path, i), list.Index(i))
	}
	out.Set(list)
}

// untyped fills a field of type any with nil, bool, int, float64, string, []any or map[string]any. Dates stay text.
func (d *decoder) untyped(n *yaml.Node, path string, out reflect.Value) {
	t := reflect.TypeFor[string]()
	switch {
	case out.NumMethod() > 0:
		d.fail(n, path, "cannot be read: Go type %s is not supported", out.Type())
		return
	case n.Kind == yaml.SequenceNode:
		t = reflect.TypeFor[[]any]()
	case n.Kind == yaml.MappingNode:
		t = reflect.TypeFor[map[string]any]()
	case isNull(n):
		out.SetZero()
		return
	case n.ShortTag() == "!!bool":
		t = reflect.TypeFor[bool]()
	case n.ShortTag() == "!!int":
		t = reflect.TypeFor[int]()
	case n.ShortTag() == "!!float":
		t = reflect.TypeFor[float64]()
	}
	value := reflect.New(t).Elem()
	d.value(n, path, value)
	out.Set(value)
}
