// Package terminal prevents text from other sources from controlling a terminal: from moving its cursor,
// changing its title, or reversing the direction of text. Colours pass; package reports/document removes those
// of other sources.
package terminal
