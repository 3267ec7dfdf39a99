// Package imports reads the results of other harnesses and turns them into runs: traces that
// were recorded elsewhere, with the verdicts that were given there or with the gold of a
// dataset. The runs are records like any other: they can be reported, compared and exported.
//
// A reader knows the versions of its format that it was tested with, counts what it leaves out, and leaves
// undefined what the format does not say. A file of an unknown format is shown, and can be read by a Mapping.
package imports
