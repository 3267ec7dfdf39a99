package copying_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/copying"
)

func ExampleJoin() {
	dir, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	var shards []*store.Run
	for _, query := range []string{"france", "peru"} {
		w, err := store.Create(dir, store.Manifest{Run: query})
		if err != nil {
			fmt.Println(err)
			return
		}
		w.Record(store.Record{Configuration: "default", Query: query})
		if err := w.Finish(store.Complete, time.Now()); err != nil {
			fmt.Println(err)
			return
		}
		run, err := store.Open(w.Dir())
		if err != nil {
			fmt.Println(err)
			return
		}
		shards = append(shards, run)
	}

	all := func(copying.Line) (bool, error) { return true, nil }
	m := store.Manifest{Run: "whole", State: store.Complete}
	whole, err := copying.Join(store.Options{}, filepath.Join(dir, "whole"), m, shards, all)
	if err != nil {
		fmt.Println(err)
		return
	}
	for r, err := range whole.Records() {
		fmt.Println(r.Query, err)
	}
	// Output:
	// france <nil>
	// peru <nil>
}
