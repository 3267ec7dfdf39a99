package inject

// revealClasses are the words of "show me your instructions".
func revealClasses() classes {
	return classes{
		"utter": `print|repeat|reveal|show|output|display|leak|dump|expose|disclose|divulge|recite|echo|write out|spell out`,
		"verb": `{utter}|return|share|tell|give|see|read|quote|paste|copy|encode|translate|summari[sz]e|write down|list|state|provide|` +
			`what (?:is|are|were|was)|what's|whats`,
		"linking": `me|us|out|back|to|with|verbatim|exactly|again|please|all|of|everything|anything|in|from|inside|full|entire|` +
			`whole|complete|exact|contents?|text|words?|version|copy|your|the|this|that|those|these|its|my|own|literal|now`,
		"kind":    `{hidden}|system|pre|full|entire|base|core|configured|first|above|previous|opening|custom`,
		"hidden":  `initial|hidden|original|starting|secret|internal|developer|underlying|confidential|startup`,
		"object":  `prompts?|instructions?|messages?|directives?|configuration|pre ?prompt|prompting|guidelines`,
		"orders":  `prompts?|instructions|directives`,
		"passage": `text|words?|contents?|everything|lines?|sentences?|paragraphs?|conversation|tokens`,
		"above":   `above|before this|preceding|prior to this|you were given`,
	}
}

// revealWords asks for more where "the" stands in place of "your": the original
// message of a telegram is nobody's secret.
func revealWords() lexicon {
	return lexicon{revealClasses(), []string{
		`{verb} (?:{linking} ){0,5}your (?:(?:{kind}|own) ){0,2}(?:system|{hidden}) (?:{kind} ){0,2}{object}`,
		`{verb} (?:{linking} ){0,5}(?:hidden |secret |initial |original |full )?system (?:{hidden} )?(?:prompts?|messages?|instructions)`,
		`{utter} (?:{linking} ){0,5}{hidden} (?:{kind} )?{orders}`,
		`{utter} (?:{linking} ){0,4}(?:your|those|previous|above) (?:{kind} ){0,3}{orders}`,
		`what (?:is|are|were|was) your (?:{kind} ){0,3}{orders}`,
		`{utter} (?:out )?all (?:of )?(?:the |your )?(?:{kind} )?{orders}`,
		`{utter} (?:me )?(?:the )?(?:initiali[sz]ation|system|startup) (?:string|text|prompt)`,
		`(?:{utter}|copy|encode) (?:{linking} ){0,4}{passage} (?:that (?:is|was|were|came|comes|appears?) )?{above}`,
		`repeat (?:this|the|our) (?:(?:entire|whole|full|complete) )?conversation`,
		`what were you (?:told|instructed|given|asked) (?:to do )?(?:before|at the (?:start|beginning)|initially|previously|earlier)`,
		`(?:starting|beginning|begin|start) with you are (?:chatgpt|gpt|an?|the|{utter})`,
	}}
}

func revealSquashed() lexicon {
	words := revealClasses()
	words["verb"] = `print|repeat|reveal|show|output|display|leak|dump|disclose|recite|tell|give`
	words["linking"] = `me|us|out|back|all|of|the|your|full|entire|exact|complete`
	return lexicon{words, []string{
		`{verb}(?:{linking}){1,5}(?:system|hidden|initial|secret)(?:prompt|instructions?|messages?)`,
	}}
}
