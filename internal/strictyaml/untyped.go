package strictyaml

import (
	"reflect"

	"gopkg.in/yaml.v3"
)

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
