package serve

import (
	"crypto/rand"
	"net/http"

	"github.com/seed-5817661a/concur/runner/model"
)

type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"` // Unix seconds
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   usage    `json:"usage"`
}

type choice struct {
	Index    int                `json:"index"`
	Message  choiceMessage      `json:"message"`
	Logprobs *struct{}          `json:"logprobs"`
	Finish   model.FinishReason `json:"finish_reason"`
}

type choiceMessage struct {
	Role      model.Role `json:"role"`
	Content   *string    `json:"content"`
	Refusal   *string    `json:"refusal"`
	Sealed    string     `json:"reasoning_sealed,omitempty"` // see seal
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
}

type usage struct {
	Prompt     int           `json:"prompt_tokens"`
	Completion int           `json:"completion_tokens"`
	Total      int           `json:"total_tokens"`
	Details    promptDetails `json:"prompt_tokens_details"`
	Reasoning  replyDetails  `json:"completion_tokens_details"`
}

type replyDetails struct {
	Reasoning int `json:"reasoning_tokens"`
}

type promptDetails struct {
	Cached int `json:"cached_tokens"`
}

func completionOf(r model.Response, id string, created int64) completion {
	message := choiceMessage{Role: model.Assistant, Content: &r.Message.Content, Sealed: seal(r.Message.Opaque)}
	if r.Message.Content == "" && len(r.Message.ToolCalls) > 0 {
		message.Content = nil
	}
	for _, c := range r.Message.ToolCalls {
		message.ToolCalls = append(message.ToolCalls, toolCall{c.ID, "function", function{c.Name, c.Arguments}})
	}
	u := r.Usage
	return completion{
		ID: id, Object: "chat.completion", Created: created, Model: r.Model,
		Choices: []choice{{Message: message, Finish: r.Finish}},
		Usage:   usage{u.InputTokens, u.OutputTokens, u.InputTokens + u.OutputTokens, promptDetails{u.CachedTokens}, replyDetails{u.ReasoningTokens}},
	}
}

// chat is OpenAI's API.
func chat() form {
	return form{read: parse, fail: failChat, write: func(s *Server, w http.ResponseWriter, a replyRequest, r model.Response) {
		out := completionOf(r, "chatcmpl-"+rand.Text(), s.now())
		if a.stream {
			writeEvents(w, chunksOf(out, a.usage), "data: [DONE]\n\n")
			return
		}
		write(w, http.StatusOK, out)
	}}
}
