package checks_test

import (
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/checks"
)

// likes is whether a node looks like a list of checks.
type likes bool

func (l *likes) UnmarshalNode(n *yaml.Node) error {
	*l = likes(checks.Like(n))
	return nil
}
