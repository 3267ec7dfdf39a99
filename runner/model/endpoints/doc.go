// Package endpoints says how the endpoints of models differ: address, key, and what each
// understands of the wire that it speaks. What differs is data, in one table of presets;
// a configuration's own entries have the same form and go over it.
//
// It sends nothing and imports none of our packages.
package endpoints
