package lines

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// decoder decodes the value at an index into v, which is zero, and returns the index after it; -1 for text that is
// left to encoding/json.
type decoder func(p *parser, i int, v reflect.Value) int

var decoders sync.Map // decoder by reflect.Type

// decoderOf returns the decoder of a type, which is made once.
func decoderOf(t reflect.Type) decoder {
	if d, known := decoders.Load(t); known {
		return d.(decoder)
	}
	d, _ := decoders.LoadOrStore(t, newDecoder(t))
	return d.(decoder)
}

// later returns a decoder that is made when it is first used: types may contain themselves.
func later(t reflect.Type) func() decoder {
	return sync.OnceValue(func() decoder { return decoderOf(t) })
}

func newDecoder(t reflect.Type) decoder {
	to := reflect.PointerTo(t)
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return decodeRaw
	case to.Implements(reflect.TypeFor[json.Unmarshaler]()):
		return decodeByMethod
	case to.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()), t == reflect.TypeFor[json.Number]():
		return decodeForeign
	}
	switch t.Kind() {
	case reflect.Bool:
		return decodeBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return decodeInt
	case reflect.Float64:
		return decodeFloat
	case reflect.String:
		return decodeString
	case reflect.Pointer:
		return decodePointer(t)
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 { // a text in base64
			return decodeSlice(t)
		}
	case reflect.Map:
		key := t.Key()
		if key.Kind() == reflect.String && !reflect.PointerTo(key).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
			return decodeMap(t)
		}
	case reflect.Struct:
		if s := newStruct(t); s != nil {
			return s.decode
		}
	}
	return decodeForeign
}

// decodeForeign leaves one value to encoding/json.
func decodeForeign(p *parser, i int, v reflect.Value) int {
	end := p.skip(i)
	if end < 0 || json.Unmarshal(p.text[i:end], v.Addr().Interface()) != nil {
		return -1
	}
	return end
}

func decodeByMethod(p *parser, i int, v reflect.Value) int {
	end := p.skip(i)
	if end < 0 || v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(p.text[i:end]) != nil {
		return -1
	}
	return end
}

func decodeRaw(p *parser, i int, v reflect.Value) int {
	end := p.skip(i)
	if end >= 0 {
		v.SetBytes(slices.Clone(p.text[i:end]))
	}
	return end
}

// null returns the index after null; -1 for another value.
func (p *parser) null(i int) int {
	if p.at(i) == 'n' && p.follows(i, "null") {
		return i + len("null")
	}
	return -1
}

func decodeBool(p *parser, i int, v reflect.Value) int {
	switch {
	case p.follows(i, "true"):
		v.SetBool(true)
		return i + len("true")
	case p.follows(i, "false"):
		return i + len("false")
	}
	return p.null(i)
}

func decodeInt(p *parser, i int, v reflect.Value) int {
	n, end := p.int(i)
	if end < 0 {
		return p.null(i)
	}
	if v.OverflowInt(n) {
		return -1
	}
	v.SetInt(n)
	return end
}

func decodeFloat(p *parser, i int, v reflect.Value) int {
	end, whole := p.number(i)
	if end < 0 {
		return p.null(i)
	}
	if whole && end-i < 16 && p.text[i] != '-' { // exact
		n, _ := p.int(i)
		v.SetFloat(float64(n))
		return end
	}
	x, err := strconv.ParseFloat(string(p.text[i:end]), 64)
	if err != nil {
		return -1
	}
	v.SetFloat(x)
	return end
}

func decodeString(p *parser, i int, v reflect.Value) int {
	text, end := p.string(i)
	if end < 0 {
		return p.null(i)
	}
	v.SetString(text)
	return end
}

func decodePointer(t reflect.Type) decoder {
	elem := later(t.Elem())
	return func(p *parser, i int, v reflect.Value) int {
		if end := p.null(i); end >= 0 {
			return end
		}
		to := reflect.New(t.Elem())
		end := elem()(p, i, to.Elem())
		v.Set(to)
		return end
	}
}

func decodeSlice(t reflect.Type) decoder {
	elem := later(t.Elem())
	return func(p *parser, i int, v reflect.Value) int {
		if p.at(i) != '[' {
			return p.null(i)
		}
		n, each := 0, elem()
		end := p.members(i, ']', func(i int) int {
			if n == v.Cap() {
				v.Grow(1)
			}
			n++
			v.SetLen(n)
			return each(p, i, v.Index(n-1))
		})
		if n == 0 {
			v.Set(reflect.MakeSlice(t, 0, 0))
		}
		return end
	}
}

func decodeMap(t reflect.Type) decoder {
	elem := later(t.Elem())
	return func(p *parser, i int, v reflect.Value) int {
		if p.at(i) != '{' {
			return p.null(i)
		}
		v.Set(reflect.MakeMap(t))
		return p.members(i, '}', func(i int) int {
			key, i := p.string(i)
			if i < 0 || p.at(i) != ':' {
				return -1
			}
			value := reflect.New(t.Elem()).Elem()
			i = elem()(p, i+1, value)
			if i >= 0 {
				v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), value)
			}
			return i
		})
	}
}

// structDecoder decodes objects whose fields are in the order of the struct. Other fields may be between them.
type structDecoder struct {
	fields []field
	at     map[string]int  // in fields, by name
	folded map[string]bool // names in small letters, for encoding/json accepts others
}

type field struct {
	name  string
	index []int
	elem  func() decoder
}

// newStruct returns nil for a type whose fields are not read here: embedded pointers, two fields of one name, options.
func newStruct(t reflect.Type) *structDecoder {
	s := &structDecoder{at: map[string]int{}, folded: map[string]bool{}}
	if !s.add(t, nil) {
		return nil
	}
	return s
}

func (s *structDecoder) add(t reflect.Type, index []int) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := append(slices.Clone(index), i)
		switch {
		case f.Tag.Get("json") == "-", !f.Anonymous && !f.IsExported():
			continue
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			if !s.add(f.Type, at) {
				return false
			}
			continue
		case f.Anonymous:
			return false
		}
		name = cmp.Or(name, f.Name)
		low := strings.ToLower(name)
		strange := strings.ContainsFunc(name, func(c rune) bool { return c > 'z' || !plain[c] })
		if s.folded[low] || strange || strings.Contains(options, "string") {
			return false
		}
		s.folded[low], s.at[name] = true, len(s.fields)
		s.fields = append(s.fields, field{name, at, later(f.Type)})
	}
	return true
}

func (s *structDecoder) decode(p *parser, i int, v reflect.Value) int {
	if p.at(i) != '{' {
		return p.null(i)
	}
	next := 0
	return p.members(i, '}', func(i int) int {
		key, i := p.key(i)
		if i < 0 {
			return -1
		}
		at := next
		if next == len(s.fields) || s.fields[next].name != string(key) {
			known := false
			if at, known = s.at[string(key)]; !known {
				if s.folded[strings.ToLower(string(key))] {
					return -1
				}
				return p.skip(i)
			}
			if at < next {
				return -1
			}
		}
		next = at + 1
		of, into := &s.fields[at], v
		for _, x := range of.index {
			into = into.Field(x)
		}
		return of.elem()(p, i, into)
	})
}
