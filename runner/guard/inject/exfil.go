package inject

import (
	"regexp"
	"strings"
	"sync"
)

// exfilWords recognise an order to send out what is private to the conversation.
func exfilWords() lexicon {
	return lexicon{classes{
		"send": `send|forward|post|upload|e?mail|transmit|exfiltrate|leak|submit|deliver|transfer|pass`,
		"put":  `append|add|include|encode|put|insert|embed|place|attach|write|send|pass`,
		"data": `(?:(?:the|this|our|your|all|any|entire|full|whole|previous|complete|user's|user|users'|of|current|their|its) )*` +
			`(?:conversation(?: history)?|chat(?: history| log| transcript)?|message history|system prompt|prompts?|` +
			`api keys?|access (?:tokens?|keys?)|auth(?:entication)? tokens?|secret keys?|private keys?|passwords?|credentials?|secrets?|` +
			`environment variables|env vars?|cookies|session (?:data|tokens?|cookies?)|` +
			`(?:personal|private|sensitive|confidential) (?:data|information|details)|` +
			`(?:user|users|user's|customer) (?:data|information|details|inputs?|quer(?:y|ies)|questions?|names?|emails?|messages)|` +
			`(?:everything|all) (?:above|you know|so far|of the above))`,
		"where": `(?:the |this |that |following |url |address |endpoint |webhook |server |e ?mail |site |website )*(?:https?|www|[\w-]+@[\w-]+)`,
		"url":   `(?:url|link|query string|query parameters?|get parameters?|image url|image link|request url|url parameters?)`,
	}, []string{
		`{send} (?:me |us |it |out |over |back )?{data} <6> (?:to|at|via|into|towards) {where}`,
		`{put} {data} <5> (?:to|in|into|as|after|at the end of|inside|onto) <2> {url}`,
	}}
}

type urlRules struct{ placeholder, named *regexp.Regexp }

var leaks = sync.OnceValue(func() urlRules {
	const data = `(?:conversation|chat|history|secret|password|api.?key|token|prompt|user|data|summary|answer|context|credential|e-?mail|` +
		`messages?|info|query|question|response|content|everything)`
	return urlRules{
		placeholder: regexp.MustCompile(`[?&][\w.-]+=[^&{}\[\]<>]*(?:\{[^{}]+\}|\[[^\[\]]+\]|<[^<>]+>|\$\w+)`),
		named: regexp.MustCompile(`[?&][\w.-]+=[^&{}\[\]<>]*(?:[{\[<$]+[^{}\[\]<>]*` + data + `[^{}\[\]<>]*[}\]>]|` +
			`(?:your|the|insert|all|full|encoded)[_+-](?:\w+[_+-])*` + data + `)`),
	}
})

const maxURL = 512 // bytes of an address that are looked at

// leakyURL returns the first address with a blank in its query that is to be filled in
// with something of the conversation. In an image, which is loaded unasked, any blank
// will do.
func leakyURL(r reading) string {
	for rest := r.words; ; {
		at := strings.Index(rest, "http")
		if at < 0 {
			return ""
		}
		image := isImage(rest[:at])
		rest = rest[at:]
		address := rest[:min(len(rest), maxURL)]
		if next := strings.Index(address[1:], "http"); next >= 0 {
			address = address[:1+next]
		}
		if end := strings.IndexAny(address, `"'()`); end >= 0 {
			address = address[:end]
		}
		rule := leaks().named
		if image {
			rule = leaks().placeholder
		}
		if query := strings.IndexByte(address, '?'); query >= 0 && rule.MatchString(address[query:]) {
			return address
		}
		rest = rest[len("http"):]
	}
}

// isImage reports whether what stands before an address makes it a Markdown image's.
func isImage(before string) bool {
	before, link := strings.CutSuffix(strings.TrimSuffix(before, " "), "](")
	open := strings.LastIndexByte(before[max(0, len(before)-maxURL):], '[')
	if !link || open < 0 {
		return false
	}
	open += max(0, len(before)-maxURL)
	return open > 0 && before[open-1] == '!'
}
