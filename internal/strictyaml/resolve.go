package strictyaml

import (
	"gopkg.in/yaml.v3"
)

// Bounds on a document with its aliases expanded. A file within MaxBytes that repeats nothing stays far below them.
const (
	maxNodes = 10_000_000
	maxDepth = 1_000
)

// resolve replaces each alias in n, which lies on a level, by its node, and adds to nodes what a walk over the
// result visits. The nodes are shared, not copied.
func resolve(n *yaml.Node, level int, nodes *int) error {
	if level > maxDepth {
		return Errorf(n, "nested deeper than %d levels, aliases expanded; no alias may stand within what it stands for", maxDepth)
	}
	if *nodes++; *nodes > maxNodes {
		return Errorf(n, "more than %d values, aliases expanded", maxNodes)
	}
	for i, child := range n.Content {
		if child.Kind == yaml.AliasNode {
			n.Content[i] = child.Alias
		}
		if err := resolve(n.Content[i], level+1, nodes); err != nil {
			return err
		}
	}
	return nil
}
