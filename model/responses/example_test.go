package responses_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/responses"
	"github.com/seed-5817661a/concur/runner/serve"
)

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

	m, err := responses.New(responses.Options{BaseURL: server.URL + "/v1", Model: "parrot"})
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
