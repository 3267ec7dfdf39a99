// Package calibrating has the commands that compare judges with people: label, which asks for labels, and judge, which
// calibrates a judge with them.
package calibrating
