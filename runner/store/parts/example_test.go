package parts_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-5817661a/concur/runner/store/parts"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "parts")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "chat.jsonl")
	part, err := os.Create(parts.Name(path, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	err = parts.Write(part, strings.NewReader("first\nsecond\n"))
	if err != nil || part.Close() != nil || os.WriteFile(path, []byte("third\n"), 0o600) != nil {
		fmt.Println("the files were not written")
		return
	}
	f, err := parts.Open(path, os.Open)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	all, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<30))
	fmt.Printf("%q in %d part and a rest, %v\n", all, f.Parts(), err)
	// Output: "first\nsecond\nthird\n" in 1 part and a rest, <nil>
}
