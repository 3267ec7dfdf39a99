// Package endpoints describes the differences between model endpoints: address, key, and the supported parts
// of the API. They are data in one table, presets.yaml. The entries of a configuration have the same form and
// override the table.
//
// The package sends no requests.
package endpoints
