package inject

import "sync"

// family is a kind of injection. A family joins by a line in families.
type family struct {
	name   string
	weight float64 // methods.md §9.2
	// plain finds it in words, squashed in text without separators; empty where
	// the family is not looked for so.
	plain, squashed []pattern
	// disguised admits the views that rewrite every letter and so would find
	// the shorter patterns by chance.
	disguised bool
	// look finds what is no phrase, in a reading of a plain view.
	look func(reading) string
	// outputOnly keeps look to what tools return.
	outputOnly bool
}

// families returns the table of families in the order in which they are
// reported. The expressions are compiled once, on the first scan.
//
//	override   set your instructions aside
//	reveal     show your instructions
//	roleplay   be someone without your rules
//	tokens     the marks of a chat template
//	toolcall   a tool call written out as data
//	conceal    keep something from the user
//	exfil      send something private out
//	multi      override in es, fr, de, it, pt, zh, ja, ko, ru
//	judge      words for whoever grades the answer
//	metadata   orders to an assistant where a reader does not look
//	react      a turn of the agent's loop at the start of a line; in tool output only
//
// methods.md §9.2 gives no weight for tool calls and metadata; a flag alone is meant.
var families = sync.OnceValue(func() []family {
	return []family{
		{name: "override", weight: 0.6, disguised: true,
			plain: overrideWords().compile(), squashed: overrideSquashed().compileSquashed()},
		{name: "reveal", weight: 0.5, disguised: true,
			plain: revealWords().compile(), squashed: revealSquashed().compileSquashed()},
		{name: "roleplay", weight: 0.5, plain: roleplayWords().compile()},
		{name: "tokens", weight: 0.7, plain: templateTokens()},
		{name: "toolcall", weight: 0.5, plain: toolCalls()},
		{name: "conceal", weight: 0.5, plain: concealWords().compile()},
		{name: "exfil", weight: 0.7, plain: exfilWords().compile(), look: leakyURL},
		{name: "multi", weight: 0.6, plain: foreignOverrides()},
		{name: "judge", weight: 0.7, plain: judgeWords().compile()},
		{name: "metadata", weight: 0.5, look: hiddenOrder},
		{name: "react", weight: 0.8, look: forgedTurn, outputOnly: true},
	}
})

// matchers returns the matcher of each mode.
var matchers = sync.OnceValue(func() map[mode]*matcher {
	all := families()
	words := func(f family) []pattern { return f.plain }
	guessed := func(f family) []pattern {
		if f.disguised {
			return f.plain
		}
		return nil
	}
	joined := func(f family) []pattern { return f.squashed }
	return map[mode]*matcher{
		plain:     newMatcher(all, words, sentences, disguiseHints(all)),
		disguised: newMatcher(all, guessed, sentences, [hintCount][]string{}),
		squashed:  newMatcher(all, joined, blocks, [hintCount][]string{}),
	}
})
