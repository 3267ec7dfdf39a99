package strictyaml

import (
	"gopkg.in/yaml.v3"
)

// Bounds on a document with its aliases expanded. A file within MaxBytes that repeats nothing stays far below them.
const (
	maxNodes = 10_000_000
	maxDepth = 1_000
)

// extent is the size of a subtree with its aliases expanded.
type extent struct {
	nodes, depth int
}

// resolve replaces each alias by its node. The nodes are
// shared, not copied, so the cost is that of the file as written; what a walk
// over the result will cost is bounded here.
func resolve(root *yaml.Node) error {
	r := resolver{anchors: map[*yaml.Node]*extent{}}
	_, err := r.walk(root, 1)
	return err
}

type resolver struct {
	// anchors has an entry for each anchored node that was entered; it is nil until the node is left.
	anchors map[*yaml.Node]*extent
}

func (r *resolver) walk(n *yaml.Node, level int) (extent, error) {
	if level > maxDepth {
		return extent{}, Errorf(n, "nested deeper than %d levels", maxDepth)
	}
	if n.Anchor != "" {
		r.anchors[n] = nil
	}
	whole := extent{nodes: 1, depth: 1}
	for i, child := range n.Content {
		var part extent
		var err error
		if child.Kind == yaml.AliasNode {
			part, err = r.target(child)
			n.Content[i] = child.Alias
		} else {
			part, err = r.walk(child, level+1)
		}
		if err != nil {
			return extent{}, err
		}
		whole.nodes += part.nodes
		whole.depth = max(whole.depth, 1+part.depth)
		switch {
		case whole.nodes > maxNodes:
			return extent{}, Errorf(child, "more than %d values, aliases expanded", maxNodes)
		case level+whole.depth > maxDepth:
			return extent{}, Errorf(child, "nested deeper than %d levels, aliases expanded", maxDepth)
		}
	}
	if n.Anchor != "" {
		r.anchors[n] = &whole
	}
	return whole, nil
}

// target returns the extent of what an alias stands for. An anchor precedes its
// aliases, so it was entered; if it was not left, it contains the alias.
func (r *resolver) target(alias *yaml.Node) (extent, error) {
	size := r.anchors[alias.Alias]
	if size == nil {
		return extent{}, Errorf(alias, "the alias *%s stands within what it stands for", alias.Value)
	}
	return *size, nil
}
