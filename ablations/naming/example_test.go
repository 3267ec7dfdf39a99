package naming_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// The rows of a matrix have long names, which list every key. Their titles leave out what a reader can tell without
// them.
func ExampleTitles() {
	var m store.Manifest
	for _, name := range []string{"model=m-1,agent.protocol=text", "model=m-1,agent.protocol=native"} {
		m.Configurations = append(m.Configurations, store.Configuration{Name: name, Configuration: config.New()})
	}
	for _, title := range naming.Titles(m) {
		fmt.Println(title)
	}
	// Output:
	// m-1, protocol=text
	// m-1, protocol=native
}
