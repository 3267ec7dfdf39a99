// Package lapse adds the mistakes of a weak model to another model. It tests the guards of an agent, because
// the built-in model makes too few mistakes.
package lapse

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/model"
)

// Version changes when a request could get a different reply.
const Version = "lapse/v1"

// Footnote is printed with results of a model with lapses.
const Footnote = "It lapses at the stated rate: it asks the same again and again, changes a number, makes up an answer."

// Model adds lapses to another model. Whether a lapse happens depends only on the request's seed and on the
// kind of lapse, so that agents with different guards have the same lapses. Requests with a response schema
// are passed on unchanged.
//
//   - Loop: after a tool's reply it repeats the calls of its previous turn, as long as the reply
//     stays the same. In every second loop each call has one more space than the one before, so
//     that they differ. Only native calls are repeated.
//   - Slip: in the answer line of its final message, the last two different neighbouring digits
//     are swapped; an abstention becomes an invented year.
type Model struct {
	Inner model.Model
	Rate  float64 // probability of each kind of lapse, 0 to 1
}

// Complete returns the inner model's reply, or a lapse instead of it. The usage is the inner model's.
func (m Model) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	resp, err := m.Inner.Complete(ctx, req)
	if err != nil || req.Schema != nil {
		return resp, err
	}
	if calls := m.loop(req); calls != nil {
		resp.Message = model.Message{Role: model.Assistant, Content: "Next: that again.", ToolCalls: calls}
		resp.Finish = model.FinishToolCalls
		return resp, nil
	}
	answers := 0
	for _, message := range req.Messages {
		if message.Role == model.Assistant && strings.Contains(message.Content, answerMark) {
			answers++
		}
	}
	if draw := drawOf(req.Seed, "answer "+strconv.Itoa(answers)); len(resp.Message.ToolCalls) == 0 &&
		draw.Float64() < m.Rate {
		resp.Message.Content = alterAnswer(resp.Message.Content, draw)
	}
	return resp, nil
}

// drawOf returns the random source for one kind of lapse.
func drawOf(seed int64, what string) *rand.Rand {
	sum := fnv.New64a()
	sum.Write([]byte(what)) // never fails
	return rand.New(rand.NewPCG(uint64(seed), sum.Sum64()))
}

// exchange has a turn with tool calls and their replies.
type exchange struct {
	calls            []model.ToolCall
	callsText, reply string
}

// loop returns the calls of the last turn again; nil if the conditions of a loop are not met.
func (m Model) loop(req model.Request) []model.ToolCall {
	var before, last exchange
	for _, message := range req.Messages {
		if len(message.ToolCalls) > 0 {
			before, last = last, exchange{calls: message.ToolCalls}
			for _, c := range last.calls {
				last.callsText += c.Name + c.Arguments
			}
		}
		if message.Role == model.ToolRole {
			last.reply += message.Content
		}
	}
	if last.calls == nil || len(req.Tools) == 0 || req.Choice != model.ChooseFreely {
		return nil
	}
	same := withoutSpaces(last.callsText)
	draw := drawOf(req.Seed, same)
	spaced := draw.IntN(2) == 0
	if withoutSpaces(before.callsText) == same && before.reply != last.reply || draw.Float64() >= m.Rate {
		return nil
	}
	var out []model.ToolCall
	for i, c := range last.calls {
		c.ID = "again_" + strconv.Itoa(len(req.Messages)) + "_" + strconv.Itoa(i)
		if spaced {
			c.Arguments = strings.TrimSuffix(c.Arguments, `"}`) + ` "}`
		}
		out = append(out, c)
	}
	return out
}

func withoutSpaces(s string) string { return strings.ReplaceAll(s, " ", "") }

// Parts of a final message.
const (
	answerMark = "Answer: "
	abstention = "[ABSTAIN]"
)

// alterAnswer changes the last answer line of a message.
func alterAnswer(message string, draw *rand.Rand) string {
	at := strings.LastIndex(message, answerMark)
	if at < 0 {
		return message
	}
	line, rest, more := strings.Cut(message[at+len(answerMark):], "\n")
	changed := []byte(line)
	if strings.TrimSpace(line) == abstention {
		changed = strconv.AppendInt(nil, 1700+draw.Int64N(300), 10)
	}
	for i := len(line) - 1; i > 0; i-- {
		if isDigit(line[i]) && isDigit(line[i-1]) && line[i] != line[i-1] {
			changed[i], changed[i-1] = line[i-1], line[i]
			break
		}
	}
	if more {
		changed = append(changed, '\n')
	}
	return message[:at] + answerMark + string(changed) + rest
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
