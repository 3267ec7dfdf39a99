// Package endpoints describes the differences between model endpoints: address, key, and the supported parts of the
// API. They are data, in one table, presets.yaml; a configuration's own entries have the same form and override it.
//
// It sends nothing. It imports only internal/strictyaml.
package endpoints
