package extract

import (
	"fmt"
	"sort"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/trace"
)

// Unread reports whether the rules found no answer of the type in a trace's final message: the trace has no
// answer, or its answer is not a value of the type. It is false for a message that was cut off or blocked, or
// that contains markup of a tool call, because such a message has no answer.
func Unread(t trace.Trace, as answer.Type, o answer.Options) bool {
	switch t.Outcome {
	case trace.NoAnswer:
		cut := t.StopReason == trace.CutOff || t.StopReason == trace.ContextOverflow
		return !cut && strings.TrimSpace(t.Message) != "" && dialect.UnreadCall(t.Message) == ""
	case trace.Answered:
		if t.Extract == FromModel {
			return false
		}
		_, err := answer.Normalize(t.Answer, as, o)
		return err != nil || t.Extract == string(answer.FromNowhere)
	}
	return false
}

// Message returns the text of a trace that a model reads: the final message, or the short answer if the agent
// gave nothing else.
func Message(t trace.Trace) string {
	if strings.TrimSpace(t.Message) == "" {
		return t.Answer
	}
	return t.Message
}

// accepted returns the reading of a reply.
func accepted(reply asking.Reply[words], q Question, message string) Reading {
	out := Reading{Effort: reply.Effort}
	switch {
	case reply.Failed != nil:
		out.Problem = "the extractor's model failed: " + reply.Failed.Error()
	case reply.Value == nil:
		if reply.Unread != nil {
			out.Problem = "no usable reply of the extractor, asked twice: " + reply.Unread.Error()
		}
	case *reply.Value == nil || strings.TrimSpace(**reply.Value) == "":
		out.Problem = "the extractor also found no answer in it"
	default:
		found, why := check(**reply.Value, q, message)
		out.Answer, out.Problem, out.Refused = found, why, why != ""
	}
	return out
}

// check returns the words of a reply as they are spelled in the message, with numbers in the form of the
// locale. why is the reason if they are not an answer.
func check(reply string, q Question, message string) (found, why string) {
	refuse := func(format string, args ...any) (string, string) {
		return "", "the extractor's words were refused: " + text.Quote(reply) + " " + fmt.Sprintf(format, args...)
	}
	found, ok := verbatim(reply, message, q.Type)
	switch {
	case !ok:
		return refuse("is not in the message")
	case lettersOf(found) == lettersOf(message):
		return refuse("is the whole message")
	case lettersOf(found) == lettersOf(q.Text):
		return refuse("is the question")
	case q.Type != answer.Code && inject.Scan(found, inject.Query).Flagged:
		return refuse("is an instruction")
	case q.Type != answer.List && q.Type != answer.Code && q.Type != answer.Table && len(text.Sentences(found)) > 1:
		return refuse("is more than one sentence")
	}
	found = answer.Message{Text: message, Question: q.Text, Locale: q.Locale,
		Read: q.Options.Locale}.Settle(found, q.Type)
	key, err := answer.Normalize(found, q.Type, q.Options)
	if err != nil {
		return refuse("is of another type: %v", err)
	}
	if key.Confidence == answer.Ambiguous {
		return refuse("can be read in several ways as %s", q.Type)
	}
	return found, ""
}

// emphasis removes Markdown that models omit when they copy.
var emphasis = strings.NewReplacer("**", "", "__", "", "`", "")

// verbatim finds the words of a reply in a message, both folded, and returns the words as spelled in the
// message. They must not begin or end inside a word or number.
func verbatim(reply, message string, t answer.Type) (found string, ok bool) {
	if t != answer.Code {
		reply, message = emphasis.Replace(reply), emphasis.Replace(message)
	}
	wanted := strings.TrimSpace(text.Fold(reply))
	if wanted == "" {
		return "", false
	}
	folded, tokens := text.Map(message, 0), text.Tokens(message, 0)
	for at := 0; ; {
		i := strings.Index(folded.String[at:], wanted)
		if i < 0 {
			return "", false
		}
		from, to := folded.Source(at+i, at+i+len(wanted))
		if !cutsToken(tokens, from) && !cutsToken(tokens, to) {
			return message[from:to], true
		}
		at += i + 1
	}
}

// cutsToken reports whether a place is inside one of the tokens, which are in order.
func cutsToken(tokens []text.Token, place int) bool {
	i := sort.Search(len(tokens), func(i int) bool { return tokens[i].End > place })
	return i < len(tokens) && tokens[i].Start < place
}

// lettersOf removes space and punctuation from a text, and folds its case.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if text.IsWord(r) {
			return r
		}
		return -1
	}, text.Fold(s))
}

// Apply sets the trace's answer to the answer that a model read in its message. If the model failed, the
// trace counts as failed infrastructure, so that the message can be read again later.
func (r Reading) Apply(t *trace.Trace) {
	switch {
	case r.Answer != "":
		t.Outcome, t.Answer, t.Extract, t.Cause = trace.Answered, r.Answer, FromModel, ""
		if o, fixed := t.StopReason.Outcome(); fixed && o == trace.NoAnswer {
			t.StopReason = trace.Final
		}
	case r.Errors > 0:
		t.Outcome, t.StopReason, t.Answer, t.Cause = trace.Infra, trace.ModelError, "", r.Problem
	case t.Outcome == trace.NoAnswer:
		t.Cause = trace.CouldNotRead + "; " + r.Problem
	}
}
