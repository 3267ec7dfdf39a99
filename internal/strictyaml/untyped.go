package strictyaml

import (
	"fmt"
	"reflect"

	"gopkg.in/yaml.v3"
)

// untyped fills a field of type any with nil, bool, int, float64, string, []any
// or map[string]any. Dates stay text.
func (d *decoder) untyped(n *yaml.Node, path string, out reflect.Value) {
	if out.NumMethod() > 0 {
		d.fail(n, path, "cannot be read: Go type %s is not supported", out.Type())
		return
	}
	if v := d.natural(n, path); v != nil {
		out.Set(reflect.ValueOf(v))
	} else {
		out.SetZero()
	}
}

func (d *decoder) natural(n *yaml.Node, path string) any {
	switch n.Kind {
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			d.value(item, fmt.Sprintf("%s[%d]", path, i), reflect.ValueOf(&list[i]).Elem())
		}
		return list
	case yaml.MappingNode:
		m := map[string]any{}
		d.value(n, path, reflect.ValueOf(&m).Elem())
		return m
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return naturalAs[bool](d, n, path)
	case "!!int":
		return naturalAs[int](d, n, path)
	case "!!float":
		return naturalAs[float64](d, n, path)
	}
	return n.Value
}

func naturalAs[T any](d *decoder, n *yaml.Node, path string) T {
	var v T
	d.value(n, path, reflect.ValueOf(&v).Elem())
	return v
}
