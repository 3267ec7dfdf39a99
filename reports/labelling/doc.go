// Package labelling asks a person on a terminal for verdicts on answers of a run.
package labelling
