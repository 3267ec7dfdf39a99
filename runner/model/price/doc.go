// Package price knows what public language models cost: a dated table that is built in,
// and a file of the user's own that stands over it.
//
// Prices change, and a table does not know it: every row tells the month and the page that
// it was read from. What has no row has no price; nothing is guessed. A price is the base
// rate of a plain call: surcharges (long prompts, cache writes, tools, regions) and
// discounts (batch, free tiers) are not in it.
//
// It imports runner/model and internal/strictyaml.
package price
