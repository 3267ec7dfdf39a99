// Package replay gives models and tools that answer as a recorded run says (DESIGN.md §7).
// Every request and call is compared with the recorded one before its answer is given, so
// that a replay that goes another way than its recording says where, and in what, instead of
// giving answers to questions that were never asked.
//
// It may import runner/store, runner/tool, runner/trace and runner/model.
package replay
