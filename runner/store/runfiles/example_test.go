package runfiles_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

func ExampleSet() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	set, err := runfiles.Open(new(disk.Disk), dir, os.O_CREATE, linefile.Sums{Run: "r1", HasPlaces: true})
	if err == nil {
		err = set.Begin()
	}
	if err == nil {
		err = set.Put(runfiles.Results, []byte(`{"query":"france"}`), linefile.Head{})
	}
	if err == nil {
		err = set.Close()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(filepath.Join(dir, runfiles.Results.Name()))
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// {"schema":"concur/results/v1"}
	// {"query":"france","crc":"2-eb236b99"}
	// <nil>
}
