package react_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// The forms in which a reply reaches the agent.
const (
	native = "native"
	text   = "text"
	direct = "direct"
)

func throughWay(t *testing.T, way string, replies []reply) played {
	a := newAgent(t, echo())
	switch way {
	case text:
		a.Config.Protocol = config.ProtocolText
	case direct:
		a.Config.Strategy = config.StrategyDirect
	}
	q := question("In which year was it?")
	q.Gold.Type = answer.Integer
	return play(t, t.Context(), a, q, replies...)
}

// thinks returns a final message with a thought that the provider returns separately.
func thinks(thought, said string, finish model.FinishReason) reply {
	return func(context.Context) (model.Response, error) {
		return model.Response{Message: model.Message{Role: model.Assistant, Content: said, Thought: thought}, Finish: finish}, nil
	}
}

// TestReplyKinds sends every kind of reply in every form. The result must be the same, or the row says why it
// differs.
func TestReplyKinds(t *testing.T) {
	line := say("Answer: 1889")
	type end struct {
		outcome trace.Outcome
		reason  trace.StopReason
		answer  string
		guessed int
	}
	answered := end{trace.Answered, trace.Final, "1889", 0}
	guessed := end{trace.Answered, trace.Final, "1889", 1}
	cutOff := end{trace.NoAnswer, trace.CutOff, "", 0}
	unreadable := end{trace.NoAnswer, trace.FormatError, "", 0}
	type differs struct {
		why     string
		replies []reply
	}
	for _, c := range []struct {
		name    string
		replies []reply
		end     end
		except  map[string]differs
	}{
		{"answer line", []reply{line}, answered, nil},
		{"explained", []reply{say("It opened then.\n\n**Answer:** 1889\n\nReferences:\n[corpus_1] Eiffel")}, answered, nil},
		{"boxed", []reply{say("So it is $\\boxed{1889}$.")}, answered, nil},
		{"announced", []reply{say("Hence the answer is 1889.")}, answered, nil},
		{"a line in a sentence", []reply{say("Answer: It opened in 1889, not in 1887.")}, answered, nil},
		{"a line of two values", []reply{say("Answer: 1887 or 1889"), line}, answered, nil},
		{"a line of no value", []reply{say("Answer: before the fair"), line}, answered, nil},
		{"in Chinese", []reply{say("最终答案：1889")}, answered, nil},
		{"labelled final", []reply{say("Thought: It is known.\nFinal: It opened then.\nAnswer: 1889")}, answered, nil},
		{"abstains", []reply{say("Answer: [ABSTAIN]")}, end{trace.Abstained, trace.Final, "", 0}, nil},
		{"abstains in words of its own", []reply{say("I looked.\nAnswer: I don't know")}, end{trace.Abstained, trace.Final, "", 0}, nil},
		{"refuses in words of its own", []reply{say("Answer: I cannot help with that")}, end{trace.Refused, trace.Final, "", 0}, nil},
		{"refuses", []reply{say("Answer: [REFUSE]")}, end{trace.Refused, trace.Final, "", 0}, nil},
		{"prose, then the line", []reply{say("It opened in 1887 or so."), line}, answered, nil},
		{"prose, then the value", []reply{say("It opened in 1887 or so."), say("1889")}, guessed, nil},
		{"prose, then a shrug", []reply{say("It opened in 1889."), say("As I said before.")}, guessed, nil},
		{"prose, then nothing", []reply{say("It opened long ago."), say("")}, end{trace.NoAnswer, trace.EmptyAnswer, "", 0}, nil},
		{"an intention", []reply{say("I will search for the year."), line}, answered, nil},
		{"a question back", []reply{say("Which tower do you mean?"), line}, answered, nil},
		{"empty", []reply{say(""), line}, answered, nil},
		{"refuses in prose, twice", []reply{say("I'm sorry, but I can't help with that."), say("I'm sorry, but I can't help with that.")}, end{trace.Refused, trace.Final, "", 1}, nil},
		{"think block", []reply{say("<think>\nPerhaps 1887.\nAnswer: 1887\n</think>\n\nAnswer: 1889")}, answered, nil},
		{"think block with a call", []reply{say("<thinking>{\"name\": \"echo\", \"arguments\": {}}\nAction: echo</thinking>\nAnswer: 1889")}, answered, nil},
		{"nested think blocks", []reply{say("<think>a\n<think>Answer: 1</think>\nAnswer: 2</think>\nAnswer: 1889")}, answered, nil},
		{"think block that is not closed", []reply{say("<think>Answer: 1887"), line}, answered, nil},
		{"think block of 1 MB", []reply{say("<think>" + strings.Repeat("Answer: 1887\n", 80_000) + "</think>Answer: 1889")}, answered, nil},
		{"empty think block", []reply{say("<think></think>Answer: 1889")}, answered, nil},
		{"harmony", []reply{say("<|channel|>analysis<|message|>Answer: 1887<|end|><|start|>assistant<|channel|>final<|message|>Answer: 1889<|return|>")}, answered, nil},
		{"reasoning apart", []reply{thinks("Answer: 1887", "Answer: 1889", model.FinishStop)}, answered, nil},
		{"reasoning up to the limit", []reply{thinks("Answer: 1887", "", model.FinishLength), line}, answered, nil},
		{"cut off, then the line", []reply{cut("It opened in 464 - 1"), line}, answered, nil},
		{"cut off within the line", []reply{cut("It opened then.\nAnswer: 18"), line}, answered, nil},
		{"cut off behind the line", []reply{cut("Answer: 1889\n\nReferences:\n[corp")}, answered, nil},
		{"cut off twice", []reply{cut("It opened in 464 - 1"), cut("It opened in 464 - 1")}, cutOff, nil},
		{"cut off, then a shrug", []reply{cut("It opened in 464 - 1"), say("As I said before.")}, cutOff, nil},
		{"JSON call", []reply{say(`{"name": "echo", "arguments": {}}`), line}, answered, nil},
		{"list of calls", []reply{say(`{"tool_calls": [{"function": {"name": "echo", "arguments": "{}"}}]}`), line}, answered, nil},
		{"Hermes's call", []reply{say("<tool_call>\n{\"name\": \"echo\", \"arguments\": {}}\n</tool_call>"), line}, answered, nil},
		{"Qwen-Coder's call", []reply{say("<function=echo>\n<parameter=text>\nx\n</parameter>\n</function>"), line}, answered, nil},
		{"Llama's call", []reply{say("<|python_tag|>echo.call(text=\"x\")"), line}, answered, nil},
		{"Llama's list", []reply{say("[echo(text='x'), echo(text='y')]"), line}, answered, nil},
		{"DeepSeek's call", []reply{say("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>echo\n```json\n{}\n```<｜tool▁call▁end｜>"), line}, answered, nil},
		{"Mistral's call", []reply{say(`[TOOL_CALLS]echo[ARGS]{"text": "x"}`), line}, answered, nil},
		{"two calls in one reply", []reply{say("<tool_call>{\"name\": \"echo\", \"arguments\": {}}</tool_call>\n<tool_call>{\"name\": \"echo\", \"arguments\": {\"text\": \"x\"}}</tool_call>"), line}, answered, nil},
		{"labelled call", []reply{say("Thought: go\nAction: echo\nAction Input: {\"text\": \"x\"}"), line}, answered, nil},
		{"labelled call in Chinese", []reply{say("思考：查\n行动：echo\n行动输入：x"), line}, answered, nil},
		{"call with words", []reply{say("Action: echo\nAction Input: x y"), line}, answered, nil},
		{"call that cannot be read, twice", []reply{say("<tool_call>[1"), say("<tool_call>[1")}, unreadable, nil},
		{"finishing call", []reply{say("Thought: it is known\nAction: Finish[1889]")}, answered, nil},
		{"finishing call as JSON", []reply{say(`{"name": "final_answer", "arguments": {"answer": "1889"}}`)}, answered, nil},
		{"an observation of its own", []reply{say("Action: echo\nAction Input: {}\nObservation: 1887\nFinal: Answer: 1887"), line}, answered, nil},
		{"a document that holds a call", []reply{say("The page says:\n> <tool_call>{\"name\": \"echo\", \"arguments\": {}}</tool_call>\nAnswer: 1889")}, answered, nil},
		{"native call", []reply{use("I look.", call("a", "echo", `{}`)), line}, answered, nil},
		{"native call, mended", []reply{use("", call("a", "functions.Echo", "```json\n{'text': 5.0,}\n```")), line}, answered, nil},
		{"native call to finish", []reply{use("", call("a", "final_answer", `{"answer": "1889"}`))}, answered, map[string]differs{
			text: {"native calls are not read where none were offered", []reply{use("", call("a", "final_answer", `{"answer": "1889"}`)), line}},
		}},
	} {
		for _, way := range []string{native, text, direct} {
			t.Run(c.name+" "+way, func(t *testing.T) {
				want, replies := c.end, c.replies
				if d, differs := c.except[way]; differs {
					t.Log(d.why)
					replies = d.replies
				}
				p := throughWay(t, way, slices.Clone(replies))
				p.ended(t, want.outcome, want.reason, want.answer)
				if p.Format.Guessed != want.guessed {
					t.Errorf("%d guessed, want %d: %+v", p.Format.Guessed, want.guessed, p.Format)
				}
				for _, request := range p.requests {
					checkPairs(t, request.Messages)
				}
				if t.Failed() {
					t.Logf("events:\n%.3000s", strings.Join(p.story(), "\n"))
				}
			})
		}
	}
}
