// Package labelling asks a person at a terminal for verdicts on answers of a run.
package labelling
