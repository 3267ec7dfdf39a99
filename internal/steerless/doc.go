// Package steerless prevents text from other sources from controlling a terminal: from moving its cursor,
// changing its title, or reversing the direction of text. Colours pass; package reports/document
// disables those in text of other sources.
package steerless
