package datasets

import (
	"fmt"
	"io/fs"

	"github.com/seed-5817661a/concur/datasets/corpus"
)

// OfflineCorpus is the name of the built-in corpus that no dataset brings.
const OfflineCorpus = "offline"

// IsBuiltinCorpus reports whether a built-in corpus has this name: OfflineCorpus, or that of
// a built-in dataset with a corpus of its own.
func IsBuiltinCorpus(name string) bool { return builtinFolder(name) != "" }

// builtinFolder is the folder of a built-in corpus; "" if no built-in corpus has this name.
func builtinFolder(name string) string {
	folder := "builtin/" + name + "-corpus"
	if name == OfflineCorpus {
		folder = "builtin/corpus"
	}
	if _, err := fs.Stat(builtin, folder); err != nil {
		return ""
	}
	return folder
}

// OpenCorpus returns the built-in corpus of that name (see IsBuiltinCorpus), and else opens
// the folder or file. A folder named offline is opened as "./offline".
func OpenCorpus(nameOrPath string) (*corpus.Corpus, error) {
	path := builtinFolder(nameOrPath)
	if path == "" {
		return corpus.Open(nameOrPath)
	}
	folder, err := fs.Sub(builtin, path)
	if err != nil {
		return nil, fmt.Errorf("open built-in corpus: %w", err)
	}
	return corpus.Read(folder, nameOrPath, nameOrPath)
}
