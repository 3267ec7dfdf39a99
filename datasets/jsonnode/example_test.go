package jsonnode_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets/jsonnode"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

func ExampleParse() {
	n, wrong := jsonnode.Parse([]byte(`{"depth": 51.0}`), strictyaml.Pos{Line: 7, Column: 1})
	depth := n.Content[1]
	fmt.Println(depth.Value, depth.Line, depth.Column, wrong == nil)
	_, wrong = jsonnode.Parse([]byte(`{"depth": }`), strictyaml.Pos{Line: 8, Column: 1})
	fmt.Println(wrong)
	// Output:
	// 51.0 7 11 true
	// 8:11: not JSON: "}" is in the place of a value: write text in double quotes, and no comma before ] or }
}
