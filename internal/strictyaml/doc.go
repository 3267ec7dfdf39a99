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
// document, merge keys and unknown tags are errors. Null is allowed only for pointers, any and yaml.Node.
//
// If the file does not give a field, the field keeps its value, so set defaults before decoding. The entries of
// a map of structs also keep their values. Other maps, and lists, are replaced.
//
// A string accepts any scalar as written: `010`, `1.50` and `true` stay "010", "1.50" and "true". Numbers and
// booleans must be unquoted. Whole numbers with a leading zero are errors, because YAML 1.1 and 1.2 read them
// differently. A time.Duration is written "30s".
//
// A struct with the tag `yaml:",inline"` has its fields in the mapping of the struct around it.
//
// A field `yaml:",pos"` of type [Pos] receives the place of its mapping. A field `yaml:",keys"` of type [Keys]
// receives the places of the fields that the file gives. A type with a special form implements [Unmarshaler].
//
// Anchors and aliases are supported; the size of the expanded document is limited.
package strictyaml
