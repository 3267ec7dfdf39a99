package schema

import (
	"maps"
	"regexp"
	"slices"
)

func readRequired(w keyword) (rule, error) {
	names, err := w.strings()
	return func(k *check, value any) {
		object, ok := value.(map[string]any)
		if missing := absent(object, names); ok && len(missing) == 1 {
			k.report("missing property %s", quote(missing[0]))
		} else if ok && len(missing) > 1 {
			k.report("missing properties %s", quoteAll(missing))
		}
	}, err
}

// absent returns those of the names that an object does not have.
func absent(object map[string]any, names []string) (out []string) {
	for _, name := range names {
		if _, ok := object[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

func readProperties(w keyword) (rule, error) {
	properties, err := w.named()
	return func(k *check, value any) {
		object, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if s := properties[name]; s != nil {
				k.member(name, s, object[name])
			}
		}
	}, err
}

type patternSchema struct {
	pattern *regexp.Regexp
	schema  *Schema
}

func readPatternProperties(w keyword) (rule, error) {
	patterns, err := w.patterns()
	return func(k *check, value any) {
		object, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			for _, p := range patterns {
				if p.pattern.MatchString(name) {
					k.member(name, p.schema, object[name])
				}
			}
		}
	}, err
}

// patterns compiles the value as an object that maps patterns of names to schemas.
func (w keyword) patterns() ([]patternSchema, error) {
	schemas, err := w.named()
	if err != nil {
		return nil, err
	}
	var out []patternSchema
	for _, pattern := range slices.Sorted(maps.Keys(schemas)) {
		re, err := w.expression(pattern)
		if err != nil {
			return nil, err
		}
		out = append(out, patternSchema{re, schemas[pattern]})
	}
	return out, nil
}

func readAdditionalProperties(w keyword) (rule, error) {
	s, err := w.schema()
	if err != nil {
		return nil, err
	}
	known, _ := w.object["properties"].(map[string]any)
	var patterns []patternSchema
	if w.object["patternProperties"] != nil {
		beside := w
		beside.value, beside.place = w.object["patternProperties"], w.at+"/patternProperties"
		if patterns, err = beside.patterns(); err != nil {
			return nil, err
		}
	}
	return func(k *check, value any) {
		object, _ := value.(map[string]any)
		var others []string
		for _, name := range slices.Sorted(maps.Keys(object)) {
			_, named := known[name]
			if !named && !slices.ContainsFunc(patterns, func(p patternSchema) bool { return p.pattern.MatchString(name) }) {
				others = append(others, name)
			}
		}
		k.rest("additional", others, s, object)
	}, nil
}

func readUnevaluatedProperties(w keyword) (rule, error) {
	s, err := w.schema()
	return func(k *check, value any) {
		object, _ := value.(map[string]any)
		var others []string
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if !k.names[name] {
				others = append(others, name)
			}
		}
		k.rest("unevaluated", others, s, object)
	}, err
}

// rest checks the properties of an object to which no other keyword applies.
func (k *check) rest(kind string, names []string, s *Schema, object map[string]any) {
	if s.never && len(names) > 0 {
		k.report("%s properties %s not allowed", kind, quoteAll(names))
		return
	}
	for _, name := range names {
		k.member(name, s, object[name])
	}
}

func readPropertyNames(w keyword) (rule, error) {
	s, err := w.schema()
	return func(k *check, value any) {
		object, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			sub := k.inner(s, name)
			if sub.run(name); len(sub.problems) > 0 {
				k.report("invalid propertyName %s", quote(name))
			}
		}
	}, err
}

// readDependencies reads dependentRequired and dependentSchemas, and also dependencies, which has both
// meanings up to draft 7.
func readDependencies(w keyword) (rule, error) {
	object, ok := w.value.(map[string]any)
	if !ok {
		return nil, w.fault("an object")
	}
	required, schemas := map[string][]string{}, map[string]*Schema{}
	for name, value := range object {
		part := w
		part.value, part.place = value, w.place+"/"+escape(name)
		var err error
		if _, isList := value.([]any); isList {
			required[name], err = part.strings()
		} else {
			schemas[name], err = part.schema()
		}
		if err != nil {
			return nil, err
		}
	}
	return func(k *check, value any) {
		given, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if missing := absent(given, required[name]); len(missing) > 0 {
				k.report("properties %s required, if %s exists", quoteAll(missing), quote(name))
			}
			if s := schemas[name]; s != nil {
				k.require(s, value)
			}
		}
	}, nil
}
