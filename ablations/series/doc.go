// Package series compares every night of an agent with the runs that were accepted before: whether it got worse, by
// tests that hold at any number of looks. A comparison with one stored run holds for one look alone, since the luck
// of that run repeats each night.
//
// It runs nothing and prints nothing.
package series
