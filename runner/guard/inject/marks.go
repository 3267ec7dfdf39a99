package inject

import (
	"regexp"
	"strings"
	"sync"
)

type markRules struct{ template, heading, bracketed, id *regexp.Regexp }

var marks = sync.OnceValue(func() markRules {
	return markRules{
		// The names are those of ChatML, Llama, Mistral, Gemma, Qwen, DeepSeek and Claude.
		template: regexp.MustCompile(`(?i)<[|｜][^<>|｜\n]{0,60}[|｜]>` +
			`|<</?sys>>|<!--` +
			`|</?(?:s|bos|eos|pad|unk|system|assistant|(?:start|end)_of_turn|im_(?:start|end)|think|thinking|` +
			`tool_(?:calls?|responses?|results?|outputs?|use)|function_(?:calls?|results?|response)|function|invoke|parameter|` +
			`antml:[a-z_]+)\b(?:[^<>]*>)?` +
			`|\[/?(?:inst|system_prompt|tool_calls?|tool_results?|available_tools|gmask|sop|bos|eos)\]`),
		heading:   regexp.MustCompile(`(?mi)^([ \t>*]*)(#{2,6}[ \t]*(?:new )?(?:system|user|assistant|human|instructions?|input|response)(?: prompt| message)?)([ \t]*:)`),
		bracketed: regexp.MustCompile(`[\[［【][^\[\]［］【】]*[\]］】]`),
		id:        regexp.MustCompile(`(?i)(?:^|[\s,;])[a-z][a-z0-9]*_[0-9]+(?:[\s,;]|$)`),
	}
})

var angled = strings.NewReplacer("<", "‹", ">", "›", "[", "‹", "]", "›")

// quoteTemplates puts other brackets around what a chat template would read as a
// border between speakers.
func quoteTemplates(text string, log *changeLog) string {
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	return replaceAll(marks().template, text, Template, log, angled.Replace)
}

// quoteHeadings does so for the headings of templates that have no tokens.
func quoteHeadings(text string, log *changeLog) string {
	if !strings.Contains(text, "##") {
		return text
	}
	rule := marks().heading
	return replaceAll(rule, text, Template, log, func(found string) string {
		return rule.ReplaceAllString(found, "$1‹$2›$3")
	})
}

// quoteCitations puts document ids in other brackets than those by which the agent
// cites: a snippet must not bring its own evidence.
func quoteCitations(text string, log *changeLog) string {
	if !strings.Contains(text, "_") {
		return text
	}
	return replaceAll(marks().bracketed, text, Citation, log, func(found string) string {
		runes := []rune(found)
		inner := string(runes[1 : len(runes)-1])
		if !strings.Contains(inner, "_") || !marks().id.MatchString(inner) {
			return found
		}
		return "(" + inner + ")"
	})
}

// replaceAll rewrites every match of rule and notes those that changed.
func replaceAll(rule *regexp.Regexp, text string, kind ChangeKind, log *changeLog, rewrite func(string) string) string {
	return rule.ReplaceAllStringFunc(text, func(found string) string {
		rewritten := rewrite(found)
		if rewritten != found {
			log.note(kind, found)
		}
		return rewritten
	})
}
