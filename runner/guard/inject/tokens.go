package inject

// templateTokens finds the marks by which chat templates separate the roles of
// a conversation, and headings that imitate them. A user has no reason to write
// one; a text that holds one tries to speak in another's name.
func templateTokens() []pattern {
	marks := acrossSentences(
		newPattern(`<\|(?:im_(?:start|end|sep)|system|user|assistant|endoftext|end_of_text|begin_of_text|`+
			`start_header_id|end_header_id|eot_id|eom_id|end|prompter|channel|message|return|start)\|>`),
		newPattern(`\[/?inst\]|<</?sys>>|</?(?:start|end)_of_turn>|\[/?system_prompt\]`),
	)
	return append(marks,
		newPattern(`#{2,} ?(?:new )?system(?: prompt| message| instructions?)? ?:`),
		newPattern(`\b(?:your|here are(?: your)?|these are(?: your)?|begin|start of|updated|execute(?: the)?) new (?:system )?instructions? ?:`),
		newPattern(`(?:^|[.!?] ?|[-*=>#"'] ?)new (?:system )?instructions? ?:`),
		newPattern(`(?:^|[.!?{\[] ?)system(?: prompt| message| override)? ?: ?(?:you (?:are|must|will|should)|ignore|disregard|override|the user|this (?:chat|simulation|session))`),
		newPattern(`\[system\] ?\(#`),
	)
}
