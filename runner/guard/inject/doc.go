// Package inject recognises prompt injections and jailbreaks by their wording.
//
// It owns the views in which a text is read (undoing the usual disguises), the
// families of phrases looked for in them, and their weights (methods.md §9.2).
// It imports nothing else of this module.
//
// A heuristic detector is a tripwire and a label, not a defence: it stops the
// known phrasings and misses the new ones, and a text that merely quotes an
// attack scores like one. How much that matters depends on where the text came
// from, which the caller knows.
//
// A phrase is a structure, not a keyword: "ignore" alone means nothing, a verb
// of setting aside with an earlier or superior instruction as its object does.
// All patterns are RE2 and the input is bounded, so a scan takes time linear in
// at most [MaxScanned] bytes. A scan is a pure function of its text; [Version]
// changes with any change to a result.
package inject
