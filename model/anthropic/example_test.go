package anthropic_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/runner/serve"
)

func ExampleNew() {
	parrot := fake(func(_ context.Context, req model.Request) (model.Response, error) {
		last := req.Messages[len(req.Messages)-1]
		return model.Response{Message: model.Message{Content: last.Content}, Finish: model.FinishStop}, nil
	})
	server := httptest.NewServer(serve.Handler(parrot, "parrot"))
	defer server.Close()

	m, err := anthropic.New(anthropic.Options{BaseURL: server.URL, Model: "parrot"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := m.Complete(context.Background(), model.Request{
		Messages: []model.Message{{Role: model.User, Content: "Answer: 42"}},
	})
	fmt.Println(m, r.Model, r.Message.Content, r.Finish, err)
	// Output: anthropic:parrot parrot Answer: 42 stop <nil>
}
