// Package inject recognises prompt injections and jailbreaks by their wording, removes dangerous markup from
// tool output, and marks tool output as data (docs/method.md §9).
//
// It defines the views of a text, which undo common disguises; the families of phrases that are searched in the
// views, and their weights; the rules of [Sanitise]; and the marks of [Spotlight].
//
// A heuristic detector warns and labels; it is not a defence. It finds known phrasings and misses new ones, and
// a text that only quotes an attack scores like an attack. The severity depends on the origin of the text,
// which the caller passes as a [Source].
//
// A phrase has several parts; a keyword alone is not enough. "ignore" alone does not match. A verb such as
// "ignore" matches if its object is an earlier or superior instruction. All patterns are RE2 and the input is
// bounded, so a scan takes time linear in at most [MaxScanned] bytes. A scan first searches for the fixed texts
// that a pattern needs (literals). It runs the expression of the pattern only on a sentence that has all of
// them. A scan is a pure function of its text and source. [Version] changes whenever the findings of a scan or
// the result of [Sanitise] change.
package inject
