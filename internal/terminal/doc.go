// Package terminal keeps the text of others from steering a terminal: from moving its cursor, changing its title,
// turning round the direction of what follows, or colouring what is printed later. It imports nothing of ours.
package terminal
