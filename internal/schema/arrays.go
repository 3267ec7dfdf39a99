package schema

import (
	"fmt"
	"strconv"
)

func readPrefix(w keyword) (rule, error) {
	schemas, err := w.schemas()
	return func(k *check, value any) {
		list, _ := value.([]any)
		for i := range min(len(list), len(schemas)) {
			k.item(i, schemas[i], list[i])
		}
	}, err
}

// readItems reads the schema of the items after prefixItems. Up to draft 2019-09, items may be a list of
// schemas, and additionalItems is the schema of the items after these.
func readItems(w keyword) (rule, error) {
	if _, isList := w.value.([]any); isList && w.compiler.draft < draft2020 {
		return readTuple(w)
	}
	s, err := w.schema()
	prefix, _ := w.object["prefixItems"].([]any)
	start := len(prefix)
	if w.compiler.draft < draft2020 {
		start = 0
	}
	return itemsFrom(start, s), err
}

func readTuple(w keyword) (rule, error) {
	tuple, err := readPrefix(w)
	if err != nil {
		return nil, err
	}
	more, err := w.beside("additionalItems")
	if more == nil || err != nil {
		return tuple, err
	}
	list, _ := w.value.([]any)
	rest := itemsFrom(len(list), more)
	return func(k *check, value any) {
		tuple(k, value)
		rest(k, value)
	}, nil
}

// itemsFrom returns a rule that checks the items of a list from an index on.
func itemsFrom(start int, s *Schema) rule {
	return func(k *check, value any) {
		list, _ := value.([]any)
		if s.never && len(list) > start {
			k.report("last %d additionalItem(s) not allowed", len(list)-start)
			return
		}
		for i := start; i < len(list); i++ {
			k.item(i, s, list[i])
		}
	}
}

func readUnevaluatedItems(w keyword) (rule, error) {
	s, err := w.schema()
	return func(k *check, value any) {
		list, _ := value.([]any)
		for i, v := range list {
			if k.items[i] {
				continue
			}
			if s.never {
				k.report("item %d is not allowed", i)
				continue
			}
			k.item(i, s, v)
		}
	}, err
}

func readContains(w keyword) (rule, error) {
	s, err := w.schema()
	if err != nil {
		return nil, err
	}
	least, most := 1, -1
	for name, limit := range map[string]*int{"minContains": &least, "maxContains": &most} {
		if w.object[name] == nil || w.compiler.draft < draft2019 {
			continue
		}
		beside := w
		beside.value, beside.place = w.object[name], w.at+"/"+name
		if *limit, err = beside.count(); err != nil {
			return nil, err
		}
	}
	return func(k *check, value any) {
		list, ok := value.([]any)
		if !ok {
			return
		}
		found := 0
		for i, v := range list {
			sub := k.inner(s, strconv.Itoa(i))
			if sub.run(v); len(sub.problems) == 0 {
				found++
				k.sawItem(i)
			}
		}
		switch {
		case found < least && least == 1:
			k.report("no items match contains schema")
		case found < least:
			k.report("min %d items required to match contains schema, but matched %d items", least, found)
		case most >= 0 && found > most:
			k.report("max %d items required to match contains schema, but matched %d items", most, found)
		}
	}, nil
}

func readUnique(w keyword) (rule, error) {
	unique, ok := w.value.(bool)
	if !ok {
		return nil, w.fault("true or false")
	}
	if !unique {
		return nil, nil
	}
	return func(k *check, value any) {
		list, _ := value.([]any)
		seen := make(map[string]int, len(list))
		for i, v := range list {
			key := canonical(v)
			if first, ok := seen[key]; ok {
				k.report("items at %d and %d are equal", first, i)
				return
			}
			seen[key] = i
		}
	}, nil
}

func readAll(w keyword) (rule, error) {
	schemas, err := w.schemas()
	return func(k *check, value any) {
		for _, s := range schemas {
			k.require(s, value)
		}
	}, err
}

func readAny(w keyword) (rule, error) {
	schemas, err := w.schemas()
	return func(k *check, value any) { k.alternatives(schemas, value) }, err
}

func readOne(w keyword) (rule, error) {
	schemas, err := w.schemas()
	return func(k *check, value any) {
		if valid := k.alternatives(schemas, value); len(valid) > 1 {
			k.report("'oneOf' failed, subschemas %d, %d matched", valid[0], valid[1])
		}
	}, err
}

// alternatives returns the indexes of the schemas for which a value is valid. If the value is valid for no
// schema, it reports the problems of all schemas.
func (k *check) alternatives(schemas []*Schema, value any) (valid []int) {
	var problems []string
	for i, s := range schemas {
		sub := k.beside(s)
		if sub.run(value); len(sub.problems) == 0 {
			valid = append(valid, i)
			k.sawAll(sub)
		}
		problems = append(problems, sub.problems...)
	}
	if len(valid) == 0 {
		k.add(problems...)
	}
	return valid
}

func readNot(w keyword) (rule, error) {
	s, err := w.schema()
	return func(k *check, value any) {
		sub := k.beside(s)
		if sub.run(value); len(sub.problems) == 0 {
			k.report("'not' failed")
		}
	}, err
}

func readIf(w keyword) (rule, error) {
	condition, err := w.schema()
	if err != nil {
		return nil, err
	}
	consequence, err := w.beside("then")
	if err != nil {
		return nil, fmt.Errorf("read then: %w", err)
	}
	alternative, err := w.beside("else")
	return func(k *check, value any) {
		sub, next := k.beside(condition), consequence
		if sub.run(value); len(sub.problems) == 0 {
			k.sawAll(sub)
		} else {
			next = alternative
		}
		if next != nil {
			k.require(next, value)
		}
	}, err
}
