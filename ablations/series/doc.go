// Package series compares every night of an agent with the runs accepted before, to detect whether it got
// worse, by tests that stay valid at any number of looks. A comparison with one stored run is valid for one
// look only, because the luck of that run would affect every night.
//
// It runs nothing and prints nothing.
package series
