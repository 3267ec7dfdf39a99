// Package inject recognises prompt injections and jailbreaks by their wording, takes the
// sting out of what tools return, and marks it as data (docs/method.md §9).
//
// It owns the views in which a text is read (undoing the usual disguises), the
// families of phrases looked for in them, and their weights; the rules of [Sanitise]; and
// the marks of [Spotlight].
//
// A heuristic detector is a tripwire and a label, not a defence: it stops the known phrasings and misses the new
// ones, and a text that merely quotes an attack scores like one. How much that matters depends on where the text came
// from, which the caller says: see [Source].
//
// A phrase is a structure, not a keyword: "ignore" alone means nothing, a verb of setting aside with an earlier or
// superior instruction as its object does. All patterns are RE2 and the input is bounded, so a scan takes time linear
// in at most [MaxScanned] bytes. The literals that a pattern needs are looked for first, and an expression runs only
// on a sentence that holds all of its own. A scan is a pure function of its text and source; [Version] changes with any
// change to what it finds, or to the result of [Sanitise].
package inject
