// Package jsonnode reads JSON texts as YAML nodes. The nodes have the places of the values and keep the spelling of
// numbers, so that the decoder for YAML reads JSON by the same rules, and its errors name line and column.
package jsonnode
