// Package imports reads the results of other harnesses and turns them into runs: recorded traces with the
// verdicts of that harness, or with verdicts by the gold of a dataset. The runs can be reported, compared and
// exported like any other.
//
// A reader knows the versions of its format that it was tested with, counts the parts that it leaves out, and
// leaves undefined what the format does not record. For a file of an unknown format, the error shows its
// contents; a Mapping can read it.
package imports
