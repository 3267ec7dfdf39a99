package registry_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/feature/registry"
)

func Example() {
	for _, kind := range registry.Features() {
		fmt.Println(kind.Name, len(kind.Columns))
	}
	// Output:
	// offer 9
	// playbook 9
	// summary 0
	// explain 8
	// inline 5
	// tasks 1
	// sub_agents 11
	// usefulness 9
}

// A feature's name is a field of a configuration in summary.json, so no other field may have it. Columns of
// CSV have different names.
func TestNames(t *testing.T) {
	taken := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[result.Configuration]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		taken[name] = true
	}
	columns := map[string]bool{}
	for _, kind := range registry.Features() {
		if kind.Name == "" || taken[kind.Name] {
			t.Errorf("the name %q is taken", kind.Name)
		}
		taken[kind.Name] = true
		for _, c := range kind.Columns {
			if (c.Header == "") != (c.Show == nil) || (c.Name == "") != (c.Value == nil) {
				t.Errorf("%s: a column has a header without text, or names without values: %q %q", kind.Name, c.Header, c.Name)
			}
			if c.Name != "" && columns[c.Name] {
				t.Errorf("%s: the column %s is there twice", kind.Name, c.Name)
			}
			columns[c.Name] = true
		}
	}
}

// Columns can show zero values, and an empty sum has no figures.
func TestSums(t *testing.T) {
	for _, kind := range registry.Features() {
		if kind.Sum == nil {
			continue
		}
		if got := kind.Sum().Figures(); got != nil {
			t.Errorf("%s has figures of no records: %v", kind.Name, got)
		}
		for _, c := range kind.Columns {
			switch {
			case c.Show != nil:
				c.Show(kind.Figures) // also of zero values
			case c.Value(kind.Figures) == nil:
				t.Errorf("%s: %s has no value", kind.Name, c.Name)
			}
		}
	}
}

// A configuration without settings uses no feature.
func TestOffByDefault(t *testing.T) {
	for _, kind := range registry.Features() {
		if kind.New != nil && kind.New(config.New()) != nil {
			t.Errorf("%s is on by default", kind.Name)
		}
	}
}
