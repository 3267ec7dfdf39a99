package programfiles_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/assemble/programfiles"
	"github.com/seed-5817661a/concur/runner/config"
)

// The digests of an agent's files change with their content.
func Example() {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	agent := config.External{Exec: []string{"python3", "agent.py"}, Files: []string{"prompts"}}
	for name, text := range map[string]string{"agent.py": "print(1)", "prompts/system.txt": "Be brief."} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			fmt.Println(err)
			return
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}

	digests, err := programfiles.Folder(dir).Digests(agent, func(_ string, text []byte) {
		fmt.Printf("keep %q\n", text)
	})
	fmt.Println(digests, err)
	// Output:
	// keep "print(1)"
	// keep "Be brief."
	// map[agent.py:d287bb7f9d15abdc prompts/system.txt:213c22ed7234eb11] <nil>
}
