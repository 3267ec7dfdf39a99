package advise_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent/advise"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/playbook"
)

func Example() {
	b := playbook.New()
	b.Apply([]playbook.Operation{{Type: playbook.Add, Section: playbook.Strategies, Text: "For depths of wells: call the register."}}, 0)
	shelf, err := playbook.NewShelf(context.Background(), b, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	feature := advise.Feature{Shelf: shelf, Settings: config.Playbook{File: "playbook.yaml"}.Effective()}
	var settings session.Settings
	settings.Features = append(settings.Features, feature)
	fmt.Println(feature.Settings.Mode, feature.Settings.K, feature.Settings.Where, feature.Settings.Budget)
	// Output: frozen 3 system 2000
}
