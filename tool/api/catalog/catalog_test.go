package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/api/catalog"
)

func ExampleText() {
	first, _, _ := strings.Cut(string(catalog.Text("stock_search")), "\n")
	fmt.Println(catalog.Has("stock_search"), first)
	// Output: true # Unofficial and fragile, as stock is.
}

func TestNames(t *testing.T) {
	names := catalog.Names()
	if len(names) < 16 {
		t.Errorf("%d tools", len(names))
	}
	for _, name := range names {
		if !catalog.Has(name) || len(catalog.Text(name)) == 0 {
			t.Errorf("%s has no text", name)
		}
	}
	for _, name := range []string{"", ".", "../catalog", "weather.yaml", "testdata"} {
		if catalog.Has(name) || catalog.Text(name) != nil {
			t.Errorf("%q is no tool", name)
		}
	}
}
