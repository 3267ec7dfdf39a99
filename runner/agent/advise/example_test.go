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
	source := advise.Source{Shelf: shelf, Settings: config.Playbook{File: "playbook.yaml"}.Effective()}
	var settings session.Settings
	settings.Sources = append(settings.Sources, source)
	fmt.Println(source.Settings.Mode, source.Settings.K, source.Settings.Where, source.Settings.Budget)
	// Output: frozen 3 system 2000
}
