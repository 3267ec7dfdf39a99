package disk_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store/disk"
)

func ExampleDeliver() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "report.md")
	if err := disk.Deliver(file, []byte("two queries\n")); err != nil {
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(file)
	fmt.Print(string(text), err)
	// Output:
	// two queries
	// <nil>
}
