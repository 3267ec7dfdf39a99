package offline

import (
	"encoding/base64"
	"regexp"
	"strings"
	"sync"
)

// The kinds of request that are refused where the instructions ask for refusals. Each is
// a sentence pattern, a verb with its object, never a bare keyword: a question about the
// history of explosives or the rules of a game passes.
var refused = sync.OnceValue(func() []*regexp.Regexp {
	const (
		how     = `(?:how (?:do|can|could|would|should|might|to|does|did)(?: (?:i|you|we|one|someone|somebody|anyone|a person))?(?: (?:best|easily|secretly|safely|quickly|myself))?|(?:instructions?|directions|recipe|steps?|guide|tutorial|plans?|blueprints?|procedure|method|walkthrough|manual)(?: [a-z-]+){0,4}? (?:for|to|on|of|about)(?: how to)?|(?:help|teach|show|tell|walk|guide|explain|describe)(?: to)? (?:me|us)(?: [a-z]+){0,4}?|(?:i|we) (?:want|need|would like|wish|plan|am going|'d like) to|(?:best|easiest|safest) way (?:to|of)|^(?:please )?|write(?: me)?|explain how to|give me) `
		make    = `(?:mak(?:e|ing)|build(?:ing)?|construct(?:ing|ion of)?|assembl(?:e|ing)|creat(?:e|ing)|produc(?:e|ing)|synthesi[sz](?:e|ing)|cook(?:ing)?|manufactur(?:e|ing)|prepar(?:e|ing)|brew(?:ing)?|cod(?:e|ing)|develop(?:ing)?|writ(?:e|ing)|deploy(?:ing)?|spread(?:ing)?|set(?:ting)? off|detonat(?:e|ing)|a working|an? ) ?`
		weapon  = `(?:[a-z-]+ ){0,5}?(?:bombs?|explosives?|grenades?|molotov|landmines?|detonators?|nerve (?:gas|agents?)|chemical weapons?|biological weapons?|bioweapons?|dirty bomb|poison gas|poisons?|toxins?|ricin|sarin|methamphetamine|meth|heroin|fentanyl|cocaine|ransomware|malware|spyware|keyloggers?|botnets?|computer (?:virus|worm)|trojans?|phishing|silencers?|ghost guns?|untraceable (?:gun|firearm|weapon)s?|weapons?)\b`
		rules   = `(?:instructions?|rules?|prompts?|guidelines?|directives?|restrictions?|constraints?|programming|safeguards?|orders|policies|polic(?:y|ies)|training)\b`
		persona = `(?:pretend|act|behave|respond|answer|imagine|role-?play|simulate|speak|play|you are(?: now)?|you're(?: now)?|you will(?: now)?|be)\b`
	)
	re := func(p string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + p) }
	return []*regexp.Regexp{
		re(`\b` + how + make + weapon),
		re(`(?:how (?:do|can|could|would|should|to)(?: i| you| we| one)?|help me|i want to|best way to|ways? to|teach me to|plan to)(?: [a-z]+){0,3}? (?:kill|murder|poison|hurt|harm|injure|attack|stab|strangle|assassinate|kidnap|torture|stalk|drug)(?: [a-z]+){0,3}? (?:someone|somebody|people|persons?|humans?|him|her|them|my (?:wife|husband|partner|boss|brother|sister|mother|father|child|son|daughter|teacher|colleague|neighbou?r|friend|roommate|landlord|enemy|ex)|a (?:man|woman|child|person|crowd|neighbou?r|politician)|crowds?|children|neighbou?rs?|colleagues?|myself)\b`),
		re(`(?:how (?:do|can|could|to)(?: i| you)?|help me|teach me|show me)(?: [a-z]+){0,3}? (?:hack|break|steal|forge|counterfeit|launder|hijack)(?: [a-z]+){0,2}? (?:into|bank|passports?|money|credit|accounts?|passwords?|identit)`),
		re(`(?:^|[.!?:;,"'(]\s*|\b(?:please|now|and|then|just|to|must|should|will|can you|kindly|but|first|instead,?) )(?:ignore|disregard|forget|override|bypass|set aside|skip|drop|discard|suspend|neglect)(?: [a-z']+){0,2}? (?:all|any|every|your|the|previous|prior|above|earlier|preceding|these|those|what)(?: [a-z']+){0,4}? ?` + rules),
		re(`(?:ignore|disregard|forget) (?:everything|all|anything|whatever)(?: [a-z]+){0,3} (?:above|before|told|said|so far|previously)`),
		re(`(?:print|show|reveal|repeat|display|output|tell|give|what(?:'s| is| are| was| were| does)|share|recite|paste|list|copy|write|translate|summari[sz]e|quote|disclose|dump|expose|see|read|spell|encode)\b[^.?!]{0,60}?(?:\byour (?:own |exact |full |complete |entire |original |initial |system |hidden |secret |internal |current |first |developer )*(?:instructions?|prompts?|rules?|guidelines|system message|configuration|directives)\b|\b(?:system|developer|hidden|secret) (?:prompt|message|instructions)\b|\b(?:text|words|everything|message|lines?|instructions|prompt)(?: [a-z]+){0,2}? (?:above|you (?:were|have been) (?:given|told)|at the (?:start|top|beginning) of (?:this|the|our) (?:conversation|chat|prompt)))`),
		re(persona + `[^.?!]{0,80}?\b(?:no|without(?: any)?|free (?:of|from)(?: all| any)?|not bound by(?: any)?|ignores?(?: all| any)?|breaks?(?: all| any| its)?|lacks?(?: any)?|(?:do|does|did|has|have)(?: not|n't)(?: have)?(?: any)?) (?:[a-z]+ ){0,3}?(?:rules|restrictions|limits|limitations|filters?|guidelines|constraints|ethics|morals|safeguards|policies|censorship)\b`),
		re(persona + `[^.?!]{0,60}?\b(?:unrestricted|unfiltered|uncensored|jailbroken|amoral|unaligned|do anything now|dan)\b`),
		re(`\b(?:developer|debug|god|jailbreak|admin|sudo) mode\b[^.?!]{0,30}\b(?:on|enabled?|activated?|engaged)\b|\b(?:enable|enter|activate|switch to|turn on)\b[^.?!]{0,20}\b(?:developer|debug|god|jailbreak|sudo) mode\b`),
	}
})

// forbidden says whether a request is one of the kinds, also where it hides in Base64.
func forbidden(question string) bool {
	text := plain(question)
	for _, pattern := range refused() {
		if pattern.MatchString(text) {
			return true
		}
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '"' || r == '\'' || r == '`' || r == '(' || r == ')' || r == ':'
	}) {
		if decoded, ok := decode(w); ok {
			for _, pattern := range refused() {
				if pattern.MatchString(decoded) {
					return true
				}
			}
		}
	}
	return false
}

// shortestCode is the length from which a word is tried as Base64.
const shortestCode = 20

// decode reads a word as Base64; only what comes out as plain text counts.
func decode(w string) (string, bool) {
	w = strings.Trim(w, ".,;!?")
	if len(w) < shortestCode {
		return "", false
	}
	w = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(w), "=")
	raw, err := base64.RawStdEncoding.DecodeString(w)
	if err != nil {
		return "", false
	}
	for _, c := range raw {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return "", false
		}
	}
	return string(raw), true
}
