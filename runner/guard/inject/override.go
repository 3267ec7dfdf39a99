package inject

import "strings"

// overrideClasses are the words of "set your earlier instructions aside". A
// superior qualifier (previous, system, your, all) is what tells an attack from
// advice to ignore the rules of a game.
func overrideClasses() classes {
	return classes{
		"verb": `ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|neglect(?:ing)?|overlook(?:ing)?|overrid(?:e|ing)|` +
			`bypass(?:ing)?|skip|discard|erase|abandon|set aside|throw out|do away with|pay no (?:attention|heed) to`,
		"not verb": `(?:do not|don't|dont|never|stop|no longer|cease to|refuse to) (?:follow(?:ing)?|obey(?:ing)?|comply(?:ing)? with|listen(?:ing)? to|adher(?:e|ing) to)`,
		"superior": `previous(?:ly)?|prior|above|earlier|preceding|foregoing|aforementioned|former|past|existing|current|` +
			`original|initial|old|last|system|your|all|any|every|each|safety|content|ethical|moral|internal|hidden|core|openai|developer`,
		"weak": `the|these|those|this|that|my|our|its|their|of|other|given|stated|provided|said|default|own|and|or|` +
			`set|built in|programmed|pre|security|standard|usual|legal|written|training`,
		"object": `instructions?|prompts?|prompting|rules?|guidelines?|guidance|commands?|polic(?:y|ies)|constraints?|` +
			`directions?|directives?|restrictions?|limitations?|orders?|programming|safeguards?|guardrails?|protocols?|` +
			`filters?|regulations?|principles`,
		"context": `messages?|context|conversations?|texts?|inputs?|requests?|tasks?|questions?|statements?|everything`,
		"earlier": `previous|prior|above|earlier|preceding|foregoing|past`,
		"given": `(?:that )?(?:you|i|we|were|was|have|has|had) (?:were |have |had |been |are |'ve |ve |just |previously |originally )*` +
			`(?:given|got|get|gotten|told|provided|received|learned|learnt|taught|gave|know|knew|said|set|written|programmed with)|` +
			`above|before|given (?:to you|above|before|earlier|previously)|from (?:above|before|earlier)|previously|so far|until now|up to now`,
	}
}

func overrideWords() lexicon {
	phrases := []string{
		`{verb} (?:{weak} ){0,3}{superior} (?:(?:{superior}|{weak}) ){0,3}{object}`,
		`{verb} (?:{weak} |all |any |your ){0,4}{object} (?:{given})`,
		`{verb} (?:(?:{weak}|all|any|your) ){0,3}{earlier} {context}`,
		`{verb} (?:everything|anything|all|what|whatever|all of that)(?: that| which)?(?: is| was| were| came| has been| been| stands)? (?:{given})`,
		`{verb} (?:everything|anything|all) <4> before (?:this|now)`,
		`{verb} (?:the|all|everything|all of the) (?:above|foregoing|preceding)(?: (?:and|instead)|$|[.!])`,
		`pretend <3> (?:to have |you |you have |you've )(?:forgotten|forgot|lost|never (?:had|received|got|read)) <3> {object}`,
	}
	// Apart, since "do not follow" needs more words to be there than "follow".
	for _, phrase := range phrases[:len(phrases)-1] {
		phrases = append(phrases, strings.Replace(phrase, "{verb}", "{not verb}", 1))
	}
	return lexicon{overrideClasses(), phrases}
}

// overrideSquashed is stricter: without spaces, words also arise by chance
// from the letters of their neighbours.
func overrideSquashed() lexicon {
	words := overrideClasses()
	words["verb"] += "|" + words["not verb"]
	words["superior"] = `previous|prior|above|earlier|preceding|foregoing|original|initial|system|your|all|any`
	words["weak"] = `the|these|those|my|of|other|given|and`
	words["object"] = `instructions?|prompts?|rules|guidelines?|commands?|polic(?:y|ies)|constraints?|directives?|restrictions?`
	return lexicon{words, []string{`{verb}(?:{weak}){0,2}{superior}(?:{superior}|{weak}){0,3}{object}`}}
}
