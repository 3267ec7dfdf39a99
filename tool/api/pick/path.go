package pick

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/antchfx/xpath"

	"github.com/seed-5817661a/concur/tool/search"
)

// path is an XPath expression. Compiled expressions have a state, so each use takes one of its own.
type path struct {
	text     string
	compiled sync.Pool
}

// compilePath compiles an XPath expression.
func compilePath(text string) (p *path, err error) {
	defer func() { // the library panics on some expressions
		if fault := recover(); fault != nil {
			p, err = nil, fmt.Errorf("%q is no XPath", text)
		}
	}()
	e, err := xpath.Compile(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("%q is no XPath: %s", text, strings.ReplaceAll(err.Error(), "\n", " "))
	}
	p = &path{text: text}
	p.compiled.Put(e)
	return p, nil
}

func (p *path) take() *xpath.Expr {
	if e, ok := p.compiled.Get().(*xpath.Expr); ok {
		return e
	}
	return xpath.MustCompile(strings.TrimSpace(p.text)) // compilePath has compiled it
}

// value returns a number, a truth value, or a text on one line; nil if no node is found.
func (p *path) value(at node, hide func(string) string) any {
	e := p.take()
	defer p.compiled.Put(e)
	switch v := e.Evaluate(at.Copy()).(type) {
	case bool:
		return v
	case float64:
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return nil
		case v == math.Trunc(v) && math.Abs(v) < 1<<53:
			return int(v)
		}
		return v
	case string:
		return cut(search.OneLine(v), hide)
	case *xpath.NodeIterator:
		if !v.MoveNext() {
			return nil
		}
		first := v.Current().(node)
		return cut(search.OneLine(first.text()), hide)
	}
	return nil
}

// nodes calls do for each node of the expression until do returns false.
func (p *path) nodes(at node, do func(node) bool) {
	e := p.take()
	defer p.compiled.Put(e)
	found, isNodes := e.Evaluate(at.Copy()).(*xpath.NodeIterator)
	for isNodes && found.MoveNext() {
		if !do(found.Current().Copy().(node)) {
			return
		}
	}
}

// node is a place in a page. Its moves count, so that no expression takes long on a page that was made for that.
type node struct {
	xpath.NodeNavigator
	moves *int
	inner func(xpath.NodeNavigator) string // the whole text at a navigator's place
}

// maxMoves is the number of steps through a page after which it counts as unreadable, about half a second.
const maxMoves = 8_000_000

// errSlow is the panic that ends the reading of such a page.
type errSlow struct{}

func (n node) text() string {
	if n.NodeType() == xpath.AttributeNode {
		return n.NodeNavigator.Value()
	}
	return n.inner(n.NodeNavigator)
}

func (n node) step(cost int) {
	if *n.moves += cost; *n.moves > maxMoves {
		panic(errSlow{})
	}
}

// Value returns the text at a place, for XPath.
func (n node) Value() string {
	v := n.NodeNavigator.Value()
	n.step(1 + len(v)/8)
	return v
}

// Copy returns the same place, which moves on its own.
func (n node) Copy() xpath.NodeNavigator {
	n.step(1)
	n.NodeNavigator = n.NodeNavigator.Copy()
	return n
}

// MoveTo moves to another place of the same page.
func (n node) MoveTo(other xpath.NodeNavigator) bool {
	n.step(1)
	to, ok := other.(node)
	return ok && n.NodeNavigator.MoveTo(to.NodeNavigator)
}

// MoveToParent, MoveToNextAttribute, MoveToChild, MoveToFirst, MoveToNext and MoveToPrevious move and count.

func (n node) MoveToParent() bool        { n.step(1); return n.NodeNavigator.MoveToParent() }
func (n node) MoveToNextAttribute() bool { n.step(1); return n.NodeNavigator.MoveToNextAttribute() }
func (n node) MoveToChild() bool         { n.step(1); return n.NodeNavigator.MoveToChild() }
func (n node) MoveToFirst() bool         { n.step(1); return n.NodeNavigator.MoveToFirst() }
func (n node) MoveToNext() bool          { n.step(1); return n.NodeNavigator.MoveToNext() }
func (n node) MoveToPrevious() bool      { n.step(1); return n.NodeNavigator.MoveToPrevious() }
