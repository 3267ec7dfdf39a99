// Package strictyaml decodes YAML files that people write into Go structs. It reports all faults of a file at
// once, each with file, line, column and path:
//
//	gold.yaml:12:5: [3].gold.typ: unknown field "typ" (did you mean "type"?)
//
// It only reads YAML: the calling package checks the meaning of values.
//
// # Rules
//
// Struct fields are decoded if they have the tag `yaml:"name"`. Unknown and duplicate fields, a second
// document, merge keys and unknown tags are errors. Null is an error except for pointers, any and yaml.Node.
// Fields that a file does not give keep the value they had, so defaults are set before decoding; so do entries
// of a map of structs. Other maps, and lists, are replaced.
//
// A string takes any scalar as it is written: `010`, `1.50` and `true` stay "010", "1.50" and "true". Numbers and
// booleans must be unquoted; whole numbers with a leading zero are refused, for YAML 1.1 and 1.2 read them
// differently. A time.Duration is written "30s".
//
// The fields of a struct `yaml:",inline"` are those of the struct around it.
//
// A field `yaml:",pos"` of type [Pos] receives the place of its mapping, a field `yaml:",keys"` of type [Keys] the
// places of the fields that were given. A type with a form of its own implements [Unmarshaler].
//
// Anchors and aliases are supported; the size of the expanded document is limited.
package strictyaml
