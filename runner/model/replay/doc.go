// Package replay answers model calls from a recording (DESIGN.md §7). Every request is
// held against the recorded one before its answer is given, so that a replay that goes
// another way than its recording says where, and in what, instead of giving answers to
// questions that were never asked.
//
// It knows nothing of files: whoever has a recording gives it as a [Source]. It may import
// runner/model.
package replay
