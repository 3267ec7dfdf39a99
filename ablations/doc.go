// Package ablations is the room for what compares configurations. So far it holds only
// ablations/result, the numbers of a run.
package ablations
