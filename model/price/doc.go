// Package price knows the prices of public language models: a dated built-in table, and a file of the user
// that overrides it.
//
// Prices change, so every row has the month and the page of its source. A model without a row has no price;
// nothing is guessed. A price is the rate of a plain call at a service tier, including reads from a cache and
// writes to it, without surcharges (long prompts, tools, regions) and without free tiers.
//
// It imports model and internal/strictyaml.
package price
