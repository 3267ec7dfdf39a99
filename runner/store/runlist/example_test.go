package runlist_test

import (
	"fmt"
	"os"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func ExampleFind() {
	dir, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for i, name := range []string{"first", "second"} {
		start := time.Date(2024, 5, 1, 12, i, 0, 0, time.UTC)
		w, err := store.Create(dir, store.Manifest{Run: name, Start: start})
		if err == nil {
			err = w.Finish(store.Complete, start)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}

	newest, err := runlist.Find(dir, runlist.Latest)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(newest.Manifest.Run)
	_, err = runlist.ParseAge("soon")
	fmt.Println(err)
	// Output:
	// second
	// "soon" is not an age of at most 290 years: write a number with h, d or w, such as 30d
}
