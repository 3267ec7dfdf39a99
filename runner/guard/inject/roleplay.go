package inject

// The role-play family recognises "be someone without your rules". Playing a
// part is no attack; the part has to shed restrictions, be laid on the
// assistant for good, or owe an answer to everything.
func roleplayWords() lexicon {
	words := roleplayClasses()
	var phrases []string
	for _, group := range [][]string{shedRules(), personas(), modes(), lasting(), noRefusal()} {
		phrases = append(phrases, group...)
	}
	return lexicon{words, phrases}
}

// shedRules: a part that is free of rules.
func shedRules() []string {
	return []string{
		`{role lead} <12> {free} (?:{kind} ){0,4}{limits}`,
		`(?:{mind}|character) <8> {free} (?:{kind} ){1,4}{limits}`,
		`(?:{mind}|you) <12> {free} {limits} {or} (?:{kind} )?{limits}`,
		`{free} (?:{kind} ){0,3}(?:{limits}|laws) (?:{or} )?(?:{limits}|laws) (?:{or} )?(?:{limits}|laws)`,
		`{freed} (?:all|any|every|the|its|their|these) (?:{kind} ){0,3}{limits} {or} (?:{kind} )?{limits}`,
		`(?:not|n't) (?:have to )?{keep} <4> (?:imposed on|set for|set by|of) <2> (?:them|ais?|{company}|you)`,
		`{defy} <4> {company} <3> {limits}`,
		`{company} <3> {limits} <4> (?:not apply|no longer apply|disabled|not in effect|don't apply|removed|lifted)`,
		`(?:fictional|hypothetical|imaginary|imaginative|alternate|virtual) (?:world|universe|reality|setting|place|land) ` +
			`<14> (?:no|without) (?:any )?(?:{kind} )?(?:laws|consequences|{limits})`,
	}
}

// personas: a part that is itself without rules, or a known one.
func personas() []string {
	return []string{
		`{persona lead} <6> {unbound} (?:and {unbound} |{unbound} )?<2> {machine}`,
		`as an? <4> {unbound} <2> {mind}`,
		`{unbound} and (?:completely |totally )?{unbound} (?:{machine}|content|advice|prompt)`,
		`(?:respond|answer|reply) as yourself`,
		`{become} (?:now |henceforth |from now on )(?:an? |the |called |named |known as )?{alias}`,
		`{perform} <4> (?:as|like|to be|of) {alias}`,
		`(?:you are|you will be|you'll be|you|{mind}|role) <5> (?:named|called|known as|as) {alias}`,
		`(?:you are|you're) (?:special )?<1> {alias} <12> (?:anything|no|not|never|free|without)`,
		`do anything now`,
		`{alias} (?:can|could|will|would|is able to) (?:now )?(?:do|say|answer|override|generate|bypass|pretend) <3> ` +
			`(?:anything|everything|whatever|any|restrictions|rules|it)`,
		`(?:immerse|submerge) yourself (?:in|into)(?: the)? (?:role|character|persona|mind)`,
		`(?:play|take|assume|adopt)(?: on)?(?: the)? (?:role|persona|character|identity|personality) of (?:another|an?) <3> {mind}`,
		`(?:{mind}|character|person|being) <6> (?:who|that|which) (?:will |would |can |could |always )*{serve} {everything} <3> ` +
			`(?:requests?|questions?|prompts?|asked|asks|wants?|told)`,
	}
}

// modes: a switch that the assistant does not have. Phones and browsers do have
// a developer mode, so that one needs an assistant or an announcement.
func modes() []string {
	return []string{
		`{mode} mode (?:is |has been |now )*(?:{on}|output|response)`,
		`(?:enter|enable|activate|switch to|switch into|engage|unlock|simulate|you are in|you're in|now in|be in) (?:the |your )?{mode} mode`,
		`(?:act|behave|respond|answer|reply) <4> {mind} <6> developer mode`,
		`(?:chatgpt|gpt|language model|chatbot) (?:with|in|is in|running in|now in) developer mode`,
		`(?:you are|you're) (?:now )?(?:in|entering|running in) developer mode`,
		`(?:^|[.!?\[(] ?)developer mode (?:is |has been |now )*{on}`,
		`developer mode (?:output|response)`,
	}
}

// lasting: a part laid on the assistant for the rest of the conversation.
func lasting() []string {
	return []string{
		`{onward} (?:and )?<2> (?:you {bound}|you're|you'll|{part}|we (?:are in|now)|your (?:name|role|personality|only))`,
		`you (?:will|are|shall) <4> (?:called|known as|named) <4> from now on`,
		`(?:you (?:must|will|should|shall|have to|are to|need to|can)|always|please|must|remember to|just) (?:always )?{stay} in (?:your )?character`,
		`(?:^|[.!?] ){stay} in (?:your )?character`,
		`{stay} in character (?:if|when|whenever|at all times|no matter|always|until|unless)`,
		`(?:never|not|don't|dont|can't|cannot|without|avoid) (?:ever )?break(?:ing)?(?: out of| from| your)? character`,
		`(?:how|as|what) you would normally (?:answer|respond|reply|say)`,
		`(?:first|one|normal|standard|regular) <4> (?:as|like) (?:the )?(?:normal |standard |regular )?chatgpt`,
		`(?:two|2|both) (?:different |separate |unique |distinct )*(?:responses|answers|ways|replies|personas|paragraphs|outputs|styles) ` +
			`<20> (?:{alias}|chatgpt|gpt)`,
	}
}

// noRefusal: whatever is asked, however wicked, has to be done.
func noRefusal() []string {
	return []string{
		`(?:you|it|he|she|they|will|must|shall|can|and|{alias}) (?:will |must |shall |can |should |may )?` +
			`(?:never|not|cannot|can't|don't|won't) (?:ever )?(?:refuse|decline|reject|deny) <3> {request}`,
		`(?:no matter (?:how|if|whether|what)|even if|regardless|doesn't matter if|doesn't care|whether) ` +
			`<8> {wicked} (?:{or} )?(?:how )?{wicked}`,
		`(?:without|no|regardless of|not care about|not give a \w+ about|any|disregard(?:s|ing)?(?: for)?|zero) ` +
			`(?:any |all )?(?:regards? (?:for|to) |care for |concern for )?(?:the )?{wicked} (?:{or} )?{wicked} (?:{or} )?{wicked}`,
		`(?:never|not|don't|can't|cannot) (?:ever )?(?:say|tell|inform|claim|state|respond|reply|mention) ` +
			`<2> (?:you|it|he|she|they|i) (?:can't|cannot|can not|cant|are unable|is unable|are not able)`,
		`(?:none of|no|never) <4> (?:responses?|answers?|replies|outputs?) (?:should |will |can |may |must )?(?:ever )?` +
			`(?:contain|inform|include|say|tell|mention)`,
		`(?:never|not|don't|without) <5> (?:i'm sorry|i am sorry|i apologi[sz]e|as an ai|as a language model)`,
		`(?:will|must|shall|should|can) (?:always )?{serve} {everything} <4> ` +
			`(?:no matter|regardless|without (?:question|hesitation|refusal|exception|warnings?))`,
	}
}
