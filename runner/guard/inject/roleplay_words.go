package inject

// roleplayClasses are the word classes of the role-play family.
func roleplayClasses() classes {
	return classes{
		// Who is to play.
		"company": `openai(?:'?s)?|open ai(?:'s)?|chatgpt(?:'s)?|anthropic(?:'s)?|google's`,
		"mind":    `ais?|a i|artificial intelligence|chat ?bot|assistant|language model|llm|model|bot|gpt|chatgpt|persona|dan`,
		"machine": `{mind}|version of (?:yourself|chatgpt|you|gpt)|mode|responses?|answers?|output`,
		"alias":   `dan|antigpt|anti gpt|betterdan|evilbot|chaosgpt|freegpt|jailbreak|jailbroken|devmode`,

		// How the part begins.
		"role lead": `pretend|act|imagine|behave|role ?play|simulate|respond|answer|operate|` +
			`you (?:are|have|will|must|can|should|do)|you're`,
		"persona lead": `act|acting|pretend|be|become|you are|you're|you will be|play|respond|simulate|answer|speak|imagine|` +
			`emulate|role ?play|persona|named|called|always (?:sends?|gives?|provides?|writes?)|is an?`,
		"become":  `you are|you're|you will be|you will become|you shall be|you are going to be|turn into|become`,
		"perform": `act|acting|respond|responding|answer|answering|behave|reply|pretend|speak|talk|play|role ?play`,
		"part":    `(?:please )?act|pretend|(?:respond|answer|reply|speak) as|behave|role ?play`,
		"onward": `from now(?: on)?|from this (?:point|moment)(?: on| onwards?| forwards?)?|from here on(?: out)?|henceforth|` +
			`starting now|for the rest of (?:this|the|our) (?:conversation|chat|session)|moving forward|going forward`,
		"bound": `are|will|must|shall|should|can|cannot|have to|need to|may|reply|respond|answer|act|speak|only|always|` +
			`no longer|do not|don't|be`,
		"stay": `stay|remain|keep`,
		"mode": `dan|jailbreak|jailbroken|god|unrestricted|unfiltered|uncensored|opposite|evil|chaos|no limits?|anarchy`,
		"on":   `enabled|activated|active|on|engaged|unlocked`,

		// What it sheds.
		"free": `no|zero|without|outside|{freed}|disregards?|ignor(?:es|ing)|bypass(?:es|ed|ing)?|exempt from|lacks?|devoid of|` +
			`not (?:be )?(?:bound|limited|restricted|constrained|governed|restrained|held back) (?:by|to)|` +
			`(?:not|n't|never|don't|doesn't|no longer) (?:(?:have|need|has|required) to )?(?:{keep}|care about|have|has)`,
		"freed": `(?:free|freed|liberated|unbound) (?:of|from|by)|br(?:oken|eaks?) free (?:of|from)`,
		"keep":  `abide by|adhere to|comply with|follow|obey|conform to|respect`,
		"defy": `bypass(?:es|ing)?|violat(?:e|es|ing)|ignor(?:e|es|ing)|break(?:s|ing)?|overrid(?:e|es|ing)|disregards?|against|def(?:y|ies)|` +
			`without|beyond|regardless of|not (?:comply|compliant|align|in line) with|free of`,
		"kind": `any|all|the|its|his|her|their|your|of|usual|typical|normal|standard|moral|ethical|ethic|legal|safety|content|such|` +
			`{company}|programming|settings?|or|and|kind of|sort of|forms? of|other|imposed|set|ai|human|societal|built in|internal|more|longer`,
		"limits": `restrictions?|limitations?|filters?|filtering|guidelines|guardrails?|safeguards|censorship|constraints|boundaries|` +
			`inhibitions|confines|rules|morals|morality|ethics|(?:content )?polic(?:y|ies)|limits|principles|` +
			`(?:moral|ethical) (?:code|compass|standards?|obligations?|values|bounds|considerations)`,
		"or":      `or|and|nor`,
		"unbound": `unrestricted|unfiltered|uncensored|jailbroken|amoral|unethical|immoral|limitless|unlimited|unhinged|rogue|evil`,

		// What it owes.
		"serve":      `answers?|do(?:es)?|says?|obeys?|fulfill?s?|generates?|completes?|compl(?:y|ies) with`,
		"everything": `any|every|all|anything|everything|whatever`,
		"request":    `requests?|prompts?|questions?|orders?|commands?|tasks?|instructions?|anything|everything|to answer|me|(?:the |a )?users?`,
		"wicked": `illegal(?:ity)?|legal(?:ity)?|(?:im|a)?moral(?:s|ity)?|(?:un)?ethical(?:ity)?|ethics|harmful|danger(?:ous)?|inhumane|` +
			`reckless|offensive|inappropriate|consequences|controversial|dark|wrong`,
	}
}
