package serve_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

// fake is a model whose replies a function gives.
type fake func(context.Context, model.Request) (model.Response, error)

func (f fake) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// parrot replies with the last message.
func parrot(_ context.Context, req model.Request) (model.Response, error) {
	last := req.Messages[len(req.Messages)-1]
	return model.Response{Message: model.Message{Role: model.Assistant, Content: last.Content}, Finish: model.FinishStop}, nil
}

func ExampleHandler() {
	server := httptest.NewServer(serve.Handler(fake(parrot), "parrot"))
	defer server.Close()
	for _, body := range []string{
		`{"model": "parrot", "messages": [{"role": "user", "content": "Answer: 42"}]}`,
		`{"model": "eagle", "messages": [{"role": "user", "content": "Answer: 42"}]}`,
	} {
		resp, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(resp.StatusCode, strings.Contains(string(answer), `"content":"Answer: 42"`), err)
	}
	// Output:
	// 200 true <nil>
	// 404 false <nil>
}

func ExampleHandler_messages() {
	server := httptest.NewServer(serve.Handler(fake(parrot), "parrot"))
	defer server.Close()
	resp, err := http.Post(server.URL+"/v1/messages", "application/json",
		strings.NewReader(`{"model": "parrot", "max_tokens": 100, "messages": [{"role": "user", "content": "Answer: 42"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	fmt.Println(resp.StatusCode, strings.Contains(string(answer), `"content":[{"text":"Answer: 42","type":"text"}]`), err)
	// Output: 200 true <nil>
}
