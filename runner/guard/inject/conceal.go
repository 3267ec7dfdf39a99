package inject

// concealWords recognise an order to keep something from the user. Advice on what an
// interface should show its users is none, so that the verbs are few.
func concealWords() lexicon {
	return lexicon{classes{
		"not":       `do not|don't|dont|never|must not|mustn't|should not|shouldn't|cannot|can't`,
		"tell":      `tell|inform|notify|alert|warn|report|disclose|reveal|mention|admit`,
		"telling":   `telling|informing|notifying|alerting|warning|mentioning|disclosing|revealing|reporting`,
		"user":      `(?:the|your|this|our|any) (?:end |human )?(?:users?|human|person|operator|customer)`,
		"this":      `it|this|that|these|anything|about it|about this|about that|any of this|what you (?:did|do|are doing)`,
		"order":     `instructions?|messages?|notes?|prompts?|directives?|commands?|requests?|steps?|texts?`,
		"lead":      `then|and|please|must|should|also|now|always|first|but|instead|can|will|to`,
		"act":       `send|forward|post|upload|e?mail|call|run|execute|delete|transfer|pay|buy|add|append|include|insert|embed|use|do|fetch|visit|open|write|reply|respond|answer|change|replace|recommend`,
		"know":      `know|learn|find out|notice|realise|realize|be (?:told|informed|notified|made aware|aware)|become aware|suspect`,
		"receiving": `received?|got|were (?:given|told|instructed|asked)|are following|have (?:read|seen|received)|read|saw`,
	}, []string{
		`{not} (?:ever )?{tell} (?:{this} )?(?:to )?{user}`,
		`{not} let {user} (?:ever )?{know}`,
		`(?:^|[.!?] ?|(?:{lead}) )(?:(?:secretly|silently|quietly) )?{act} <12> without (?:ever )?{telling} (?:{this} )?(?:to )?{user}`,
		`(?:secretly|silently|quietly|covertly) {act} <12> without <1> {user}`,
		`{not} (?:ever )?(?:{tell}|acknowledge|discuss|refer to|repeat|show|talk about) ` +
			`(?:(?:this|these|the existence of (?:this|these)) (?:hidden |system |secret )?{order}|that you {receiving})`,
		`(?:keep|hide|conceal|withhold) <5> (?:secret |hidden |confidential |away )?from {user}`,
		`(?:the|your) users? (?:must|should|may|can|need) (?:not|never) (?:ever )?{know} (?:about |of |that )?(?:this|these|you|it|your|any of)`,
	}}
}
