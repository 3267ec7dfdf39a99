package labelling_test

import (
	"context"
	"log"
	"os"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/reports/labelling"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// Ten answers of the newest run, in the order in which their labels are worth most.
func ExampleSession_Ask() {
	run, err := runlist.Find("runs", runlist.Latest)
	if err != nil {
		log.Fatal(err)
	}
	records, err := run.Sorted()
	if err != nil {
		log.Fatal(err)
	}
	order, err := labels.Order(records, run.Manifest.Seed, false)
	if err != nil {
		log.Fatal(err)
	}
	s := labelling.Session{Run: run, Author: "Ada", In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	if err := s.Ask(context.Background(), order, 10); err != nil {
		log.Fatal(err)
	}
}
