package store_test

import (
	"fmt"
	"os"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
)

func ExampleCreate() {
	runs, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(runs)

	w, err := store.Create(runs, store.Manifest{Run: "20240501-capitals-1", Start: time.Now(), Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Record(store.Record{Configuration: "default", Query: "france"})
	w.Record(store.Record{Configuration: "default", Query: "peru"})
	if err := w.Finish(store.Complete, time.Now()); err != nil {
		fmt.Println(err)
		return
	}

	run, err := store.Open(w.Dir())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Manifest.Run, run.Manifest.State)
	for r, err := range run.Records() {
		fmt.Println(r.Query, err)
	}
	// Output:
	// 20240501-capitals-1 complete
	// france <nil>
	// peru <nil>
}
