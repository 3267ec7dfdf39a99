// Package checking decides whether the checks of a query (package datasets/checks) hold for one trace, with a score
// and a reason each. Checks of texts and figures are decided here. Programs and embeddings are asked through an
// Outside.
package checking
