package offer_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent/offer"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/tool"
)

func Example() {
	registry, err := tool.New(workshop()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	feature, err := offer.New(context.Background(), registry.Specs(), 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var settings session.Settings
	settings.Features = append(settings.Features, feature)
	fmt.Println(feature.Versions())
	// Output: map[offer:offer/v1]
}
