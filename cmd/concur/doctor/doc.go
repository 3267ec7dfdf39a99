// Package doctor checks that the models, the keys and the search of a configuration work, and lists the places
// in which other programs can read a key.
package doctor
