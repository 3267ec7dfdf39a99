package schema

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// draft is a version of JSON Schema. Later versions are greater.
type draft int

const (
	draft4 draft = iota
	draft6
	draft7
	draft2019
	draft2020
)

// drafts maps the addresses in $schema, without scheme and trailing #, to drafts.
var drafts = map[string]draft{
	"json-schema.org/draft-04/schema":      draft4,
	"json-schema.org/draft-06/schema":      draft6,
	"json-schema.org/draft-07/schema":      draft7,
	"json-schema.org/draft/2019-09/schema": draft2019,
	"json-schema.org/draft/2020-12/schema": draft2020,
}

func trimDraft(address string) string {
	address = strings.TrimPrefix(strings.TrimPrefix(address, "http://"), "https://")
	return strings.TrimSuffix(address, "#")
}

// compiler compiles the schemas of a document. A place in the document is a JSON pointer; "" is the whole
// document.
type compiler struct {
	document any
	draft    draft
	compiled map[string]*Schema
	names    map[string]string // maps the address of an $id, or address#anchor, to a place
	bases    map[string]string // maps a place to the address to which its references are relative
}

// collect records the names that schemas define by $id and $anchor, so that references to them can be
// resolved.
func (c *compiler) collect(schema any, at, base string) {
	object, ok := schema.(map[string]any)
	if !ok {
		return
	}
	id, _ := object[c.idKey()].(string)
	if c.refAlone(object) {
		id = ""
	}
	if address, anchor, _ := strings.Cut(id, "#"); id != "" {
		if address != "" {
			base = resolve(base, address)
			c.names[base] = at
		}
		if anchor != "" && c.draft <= draft7 {
			c.names[base+"#"+anchor] = at
		}
	}
	if at == "" {
		c.names[base] = at
	}
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		if anchor, _ := object[key].(string); anchor != "" {
			c.names[base+"#"+anchor] = at
		}
	}
	c.bases[at] = base
	for key, part := range object {
		place := at + "/" + escape(key)
		switch children := part.(type) {
		case map[string]any:
			if slices.Contains(schemaKeys, key) {
				c.collect(children, place, base)
			} else if slices.Contains(schemaMaps, key) {
				for name, child := range children {
					c.collect(child, place+"/"+escape(name), base)
				}
			}
		case []any:
			if slices.Contains(schemaLists, key) {
				for i, child := range children {
					c.collect(child, place+"/"+strconv.Itoa(i), base)
				}
			}
		}
	}
}

// schemaKeys are keywords whose value is a schema. schemaMaps are keywords whose value is an object of
// schemas. schemaLists are keywords whose value is a list of schemas.
var (
	schemaKeys = []string{"items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties",
		"contains", "propertyNames", "not", "if", "then", "else"}
	schemaMaps  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
	schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
)

func (c *compiler) idKey() string {
	if c.draft == draft4 {
		return "id"
	}
	return "$id"
}

// refAlone reports whether keywords besides $ref are ignored, as in the drafts up to 7.
func (c *compiler) refAlone(object map[string]any) bool {
	_, isRef := object["$ref"].(string)
	return isRef && c.draft <= draft7
}

// schemaAt returns the schema at a place, which it compiles once. A schema that refers to itself gets the
// same *Schema.
func (c *compiler) schemaAt(at string) (*Schema, error) {
	if s := c.compiled[at]; s != nil {
		return s, nil
	}
	value, err := c.lookup(at)
	if err != nil {
		return nil, err
	}
	s := &Schema{}
	c.compiled[at] = s
	switch v := value.(type) {
	case bool:
		s.never = !v
		return s, nil
	case map[string]any:
		return s, c.readKeywords(s, v, at)
	}
	return nil, fmt.Errorf("at #%s: a schema must be an object, true or false", at)
}

func (c *compiler) readKeywords(s *Schema, object map[string]any, at string) error {
	alone := c.refAlone(object)
	for _, w := range keywords() {
		value, ok := object[w.name]
		if !ok || c.draft < w.since || alone && w.name != "$ref" {
			continue
		}
		r, err := w.read(keyword{c, object, value, at, at + "/" + escape(w.name)})
		if err != nil {
			return err
		}
		if r != nil {
			s.rules = append(s.rules, r)
		}
	}
	return nil
}

// lookup returns the part of the document at a place.
func (c *compiler) lookup(at string) (any, error) {
	value := c.document
	for token := range strings.SplitSeq(strings.TrimPrefix(at, "/"), "/") {
		if at == "" {
			break
		}
		var next any
		ok := false
		switch v := value.(type) {
		case map[string]any:
			next, ok = v[unescape(token)]
		case []any:
			i, err := strconv.Atoi(token)
			if ok = err == nil && i >= 0 && i < len(v); ok {
				next = v[i]
			}
		}
		if !ok {
			return nil, fmt.Errorf("at #%s: the schema has no such part", at)
		}
		value = next
	}
	return value, nil
}

// place returns the place to which a reference leads; at is the place of the reference.
func (c *compiler) place(reference, at string) (string, error) {
	base, ok := c.bases[at]
	for from := at; !ok && from != ""; base, ok = c.bases[from] {
		from = from[:strings.LastIndexByte(from, '/')]
	}
	address, fragment, _ := strings.Cut(reference, "#")
	address = resolve(base, address)
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	if fragment != "" && fragment[0] != '/' {
		address, fragment = address+"#"+fragment, ""
	}
	start, ok := c.names[address]
	switch {
	case ok:
		return start + fragment, nil
	case strings.HasPrefix(reference, "#"):
		return "", fmt.Errorf("at #%s: the schema has no part %s", at, reference)
	}
	return "", fmt.Errorf("at #%s: a schema cannot refer to %s: write it out", at, reference)
}

// resolve returns the address of a reference that is relative to base (RFC 3986, section 5).
func resolve(base, reference string) string {
	if reference == "" {
		return base
	}
	b, err := url.Parse(base)
	if err != nil {
		return reference
	}
	u, err := b.Parse(reference)
	if err != nil {
		return reference
	}
	return u.String()
}

var (
	escaping   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaping = strings.NewReplacer("~1", "/", "~0", "~")
)

func escape(name string) string    { return escaping.Replace(name) }
func unescape(token string) string { return unescaping.Replace(token) }
