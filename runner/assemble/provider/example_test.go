package provider_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/config"
)

// All models of a run have the budget of the run.
func Example() {
	conf := config.New()
	conf.Model, conf.Limits.Tokens = "offline:reader", 10

	opener := provider.New(func(string) string { return "" }) // an environment without variables
	prices, err := opener.Prices(conf)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	opened, err := provider.NewModels(prices, provider.Options{}, stop).Open(conf.Model)
	if err != nil {
		fmt.Println(err)
		return
	}
	question := model.Request{Messages: []model.Message{{Role: model.User, Content: "Is the Danube a river? Answer yes or no."}}}
	for err == nil {
		_, err = opened.Complete(ctx, question)
	}
	fmt.Println(err)
	fmt.Println(context.Cause(ctx))
	// Output:
	// call offline:reader: budget: the budget is spent: 18 tokens of limits.tokens 10
	// the budget is spent: 18 tokens of limits.tokens 10
}
