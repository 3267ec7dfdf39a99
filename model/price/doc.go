// Package price has the prices of public language models: a dated built-in table, and a file of the user that
// overrides it.
//
// Prices change, so every row has the month and the page of its source. A model without a row has no price;
// the package does not guess. A price is the rate of a plain call at a service tier, including reads from a
// cache and writes to it. It does not include surcharges (for long prompts, tools or regions) or free tiers.
//
// It imports model and internal/strictyaml.
package price
