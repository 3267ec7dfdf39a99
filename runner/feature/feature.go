// Package feature describes the features of agents: how a configuration opens them, what they record in a
// trace, how these records are summed up, and the columns of reports. Package registry lists the features.
package feature

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Kind describes a feature. Every field except Name is optional.
type Kind struct {
	// Name is the name of the feature's record among the extras of a trace (trace.Extras), and the field of its figures in
	// the summary of a configuration.
	Name string
	// New returns the feature of an agent; nil if the configuration does not use it. A feature that needs files or
	// endpoints has no New: runner/assemble opens it.
	New func(config.Configuration) session.Feature
	// Record is the zero value of the feature's record in a trace. Figures is the zero value of the result of
	// Sum. Schemas and readers use both types.
	Record, Figures any
	// Sum returns an empty sum of the feature's records under one configuration.
	Sum func() Sum
	// Columns of the table of configurations.
	Columns []Column
}

// Sum adds up the records of a feature under one configuration.
type Sum interface {
	Add(store.Record) error
	// Merge adds the sums of another Sum of the same feature, which must not be used afterwards.
	Merge(Sum)
	// Figures returns a value of the type of Kind.Figures; nil if no trace used the feature.
	Figures() any
}

// Read decodes the figures of the feature.
func (k Kind) Read(raw json.RawMessage) (any, error) {
	into := reflect.New(reflect.TypeOf(k.Figures))
	if err := json.Unmarshal(raw, into.Interface()); err != nil {
		return nil, fmt.Errorf("read the figures of %s: %w", k.Name, err)
	}
	return into.Elem().Interface(), nil
}

// Column is a column of the table of configurations, for people or for programs. Its function gets the
// figures of a configuration, and is not called without figures.
type Column struct {
	Header string // for people, with Show; may have line breaks
	Show   func(figures any) string
	Name   string // in CSV, with Value
	Value  func(figures any) any
}

// Show returns a column for people. F is the type of the figures.
func Show[F any](header string, show func(F) string) Column {
	return Column{Header: header, Show: func(figures any) string { return show(figures.(F)) }}
}

// Value returns a column for programs. F is the type of the figures.
func Value[F any](name string, value func(F) any) Column {
	return Column{Name: name, Value: func(figures any) any { return value(figures.(F)) }}
}

// Share returns part/of; nil if of is 0.
func Share(part, of int) *float64 {
	if of == 0 {
		return nil
	}
	share := float64(part) / float64(of)
	return &share
}
