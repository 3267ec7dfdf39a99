// Package imports reads the results of other harnesses and turns them into runs. A run has the recorded
// traces, with the other harness's verdicts or with verdicts by the gold of a dataset. It can be reported,
// compared and exported like any other run.
//
// A reader knows the versions of its format that it was tested with, counts the parts that it omits, and
// leaves fields undefined that the format does not record. For a file of an unknown format, the error
// describes the contents; a Mapping can read such a file.
package imports
