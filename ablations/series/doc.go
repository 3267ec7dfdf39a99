// Package series compares every night of an agent with runs that were accepted before, to detect whether the
// agent got worse. Its tests stay valid at any number of looks. A comparison with one stored run is valid for
// one look only: if that run was lucky or unlucky, every night would be compared with its luck.
//
// It runs and prints nothing.
package series
