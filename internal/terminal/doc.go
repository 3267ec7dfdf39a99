// Package terminal prevents text from other sources from controlling a terminal: from moving its cursor,
// changing its title, reversing the direction of text, or colouring later output.
package terminal
