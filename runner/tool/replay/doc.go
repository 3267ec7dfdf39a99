// Package replay gives tools that answer as a recording says (DESIGN.md §7): the same
// documents, the same errors, without asking anything outside. Pure tools, which give the
// same output at any time, run again.
//
// It knows nothing of files: whoever has a recording gives it as a [Source]. It may import
// runner/tool, runner/trace and runner/model.
package replay
