// Package price has the prices of public language models: a dated built-in table, and a
// file of the user that overrides it.
//
// Prices change: every row has the month and the page of its source. A model without a row has no price; nothing is
// guessed. A price is the rate of a plain call at a service tier, with what is read from a cache and written to it, without
// surcharges (long prompts, tools, regions) and free tiers.
//
// It imports model and internal/strictyaml.
package price
