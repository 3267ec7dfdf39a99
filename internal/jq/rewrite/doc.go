// Package rewrite changes parsed jq expressions: it walks through their nodes, and puts calls of functions before or
// behind them. The bounds of expressions are such functions, which spend the weight of a value.
package rewrite
