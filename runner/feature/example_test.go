package feature_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/feature"
)

// A column of figures that people and programs read.
func Example() {
	type figures struct {
		Shown int `json:"shown"`
	}
	kind := feature.Kind{
		Name: "hints", Figures: figures{},
		Columns: []feature.Column{
			feature.Show("hints\nshown", func(f figures) string { return text.Thousands(f.Shown) }),
			feature.Value("hints_shown", func(f figures) any { return f.Shown }),
		},
	}
	read, err := kind.Read([]byte(`{"shown":12345}`))
	fmt.Println(kind.Columns[0].Show(read), kind.Columns[1].Name, kind.Columns[1].Value(read), err)
	// Output: 12k hints_shown 12345 <nil>
}
