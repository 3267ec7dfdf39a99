package limit_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/limit"
)

func ExampleWrap() {
	endpoint := &script{errs: []error{
		&model.Error{Kind: model.ErrRateLimited, Model: "openai:m", RetryAfter: time.Millisecond, Err: errors.New("status 429")},
	}}
	budget := &limit.Budget{Tokens: 2_000_000}
	m, err := limit.Wrap(endpoint, limit.Options{
		Name: "openai:m",
		Endpoint: limit.Endpoint{ // shared by all models with the same address and key
			Rate:        &limit.Rate{RPM: 500, TPM: 200_000},
			Concurrency: &limit.Concurrency{Most: 32},
			Circuit:     &limit.Circuit{OnOpen: func(e *limit.OpenError) { fmt.Println("stop the run:", e) }},
		},
		Retry:  limit.Retry{Jitter: func() float64 { return 0 }},
		Budget: budget,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := m.Complete(context.Background(), model.Request{Messages: []model.Message{{Role: model.User, Content: "Answer: 42"}}})
	fmt.Println(r.Attempts, "attempts,", budget.Spent().Tokens, "tokens,", err)
	// Output: 2 attempts, 516 tokens, <nil>
}
