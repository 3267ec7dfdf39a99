package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/runner/serve"
)

// fake is a model whose replies a function gives.
type fake func(context.Context, model.Request) (model.Response, error)

func (f fake) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

func ExampleNew() {
	parrot := fake(func(_ context.Context, req model.Request) (model.Response, error) {
		last := req.Messages[len(req.Messages)-1]
		return model.Response{Message: model.Message{Content: last.Content}, Finish: model.FinishStop}, nil
	})
	server := httptest.NewServer(serve.Handler(parrot, "parrot"))
	defer server.Close()

	m, err := openai.New(openai.Options{BaseURL: server.URL + "/v1", Model: "parrot"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := m.Complete(context.Background(), model.Request{
		Messages: []model.Message{{Role: model.User, Content: "Answer: 42"}},
	})
	fmt.Println(m, r.Model, r.Message.Content, r.Finish, err)
	// Output: openai:parrot parrot Answer: 42 stop <nil>
}

func ExampleModel_Stream() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"Answer:", " 42"} {
			fmt.Fprintf(w, "data: {\"choices\": [{\"delta\": {\"content\": %q}}]}\n\n", piece)
		}
		fmt.Fprint(w, "data: {\"choices\": [{\"delta\": {}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()

	qwen, _ := endpoints.Lookup("dashscope")
	m, err := openai.New(openai.Options{Endpoint: qwen, BaseURL: server.URL, Model: "qwen-plus"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := m.Stream(context.Background(), model.Request{
		Messages: []model.Message{{Role: model.User, Content: "What is six times seven?"}},
	}, func(piece string) { fmt.Printf("%q ", piece) })
	fmt.Println(m, r.Finish, err)
	// Output: "Answer:" " 42" dashscope:qwen-plus stop <nil>
}
