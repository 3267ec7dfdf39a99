package datasets

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/corpus"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

//go:embed builtin/*.yaml builtin/*-memory.jsonl builtin/*corpus/*.jsonl builtin/kb60-folder builtin/*-databases
var builtin embed.FS

// joinedDatasets are the built-in datasets that have the queries of several others.
var joinedDatasets = map[string][]string{"compute": {"sql60", "code60"}}

// Builtin returns the names of the built-in datasets, sorted.
func Builtin() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq(stems(builtin, "builtin"), maps.Keys(joinedDatasets))))
}

// partsOf returns the datasets that have a file and together have the queries of a built-in dataset.
func partsOf(name string) []string {
	if parts := joinedDatasets[name]; parts != nil {
		return parts
	}
	return []string{name}
}

// textOf returns the YAML of a built-in dataset. Each file of a joined one has its queries at its end.
func textOf(name string) []byte {
	var out []byte
	for i, part := range partsOf(name) {
		text, _ := builtin.ReadFile("builtin/" + part + ".yaml") // the file is embedded
		if i > 0 {
			_, text, _ = bytes.Cut(text, []byte("\nqueries:\n"))
			out = append(out, '\n')
		}
		out = append(out, text...)
	}
	return out
}

// stems returns the names of the YAML files in an embedded folder, sorted.
func stems(files embed.FS, folder string) []string {
	names, _ := fs.Glob(files, folder+"/*.yaml") // the only error is that of a malformed pattern
	for i, file := range names {
		names[i] = strings.TrimSuffix(path.Base(file), ".yaml")
	}
	slices.Sort(names) // names without extension can have another order than the files
	return names
}

// Open returns the built-in dataset with this name. If no dataset has it, Open loads the file at this path. To open a
// file whose name is that of a built-in dataset, write "./name.yaml".
func Open(nameOrPath string) (*Dataset, error) { return newLoader(nameOrPath).openNamed(nameOrPath) }

func (l *loader) openNamed(nameOrPath string) (*Dataset, error) {
	names := Builtin()
	if slices.Contains(names, nameOrPath) {
		l.file = nameOrPath + ".yaml"
		return l.load(bytes.NewReader(textOf(nameOrPath)), YAML, nameOrPath)
	}
	if !strings.ContainsAny(nameOrPath, `/\.`) {
		return nil, fmt.Errorf("open dataset: no built-in dataset %q (%s); name a file with its extension, "+
			".yaml, .jsonl or .csv",
			nameOrPath, strictyaml.Suggest(nameOrPath, names))
	}
	d, err := l.open(nameOrPath)
	missing, is := errors.AsType[*fs.PathError](err)
	if is && missing.Path == nameOrPath && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; built in are %s", err, strings.Join(names, ", "))
	}
	return d, err
}

// OfflineCorpus is the name of the built-in corpus that belongs to no dataset.
const OfflineCorpus = "offline"

// builtinPrefix is the beginning of the names of built-in folders.
const builtinPrefix = "builtin:"

// FolderOf returns the name of the folder of documents that belongs to a built-in dataset, such as builtin:kb60;
// "" for a dataset without a folder. OpenCorpus opens it.
func FolderOf(dataset string) string {
	name := builtinPrefix + dataset
	if builtinFolder(name) == "" {
		return ""
	}
	return name
}

// DatabasesOf returns the names of the databases that belong to a built-in dataset, such as builtin:sql60/library,
// sorted; nil for a dataset without databases. OpenDatabase opens them.
func DatabasesOf(dataset string) (names []string) {
	for _, part := range partsOf(dataset) {
		folders, _ := fs.ReadDir(builtin, "builtin/"+part+databases) // sorted; an error means that there is no folder
		for _, f := range folders {
			names = append(names, builtinPrefix+part+"/"+f.Name())
		}
	}
	return names
}

// NeedsPrograms reports whether a built-in dataset has tasks for an agent that runs programs.
func NeedsPrograms(dataset string) bool { return slices.Contains(partsOf(dataset), "code60") }

// databases is the end of the names of embedded folders. Each folder in such a folder is a database of CSV files.
const databases = "-databases"

// OpenDatabase returns a folder with the CSV files of a built-in database, each file a table. The error lists the
// known names.
func OpenDatabase(name string) (fs.FS, error) {
	var known []string
	for _, dataset := range stems(builtin, "builtin") {
		known = append(known, DatabasesOf(dataset)...)
	}
	if !slices.Contains(known, name) {
		return nil, fmt.Errorf("there is no built-in database %s: name %s, or write ./%s for a folder of yours", name,
			strings.Join(known, ", "), name)
	}
	dataset, folder, _ := strings.Cut(strings.TrimPrefix(name, builtinPrefix), "/")
	return fs.Sub(builtin, "builtin/"+dataset+databases+"/"+folder)
}

// IsBuiltinFolder reports whether the name of a folder is a form of FolderOf or DatabasesOf. No path begins so,
// unless it is written as ./builtin:kb60.
func IsBuiltinFolder(name string) bool { return strings.HasPrefix(name, builtinPrefix) }

// IsBuiltinCorpus reports whether a built-in corpus has this name: OfflineCorpus, the name of a built-in
// dataset with its own corpus, or a name of FolderOf.
func IsBuiltinCorpus(name string) bool { return builtinFolder(name) != "" }

// builtinFolder returns the embedded folder of a built-in corpus; "" if no built-in corpus has this name.
func builtinFolder(name string) string {
	folder := "builtin/" + name + "-corpus"
	if of, prefixed := strings.CutPrefix(name, builtinPrefix); prefixed {
		folder = "builtin/" + of + "-folder"
	} else if name == OfflineCorpus {
		folder = "builtin/corpus"
	}
	if _, err := fs.Stat(builtin, folder); err != nil {
		return ""
	}
	return folder
}

// OpenCorpus returns the built-in corpus with this name (see IsBuiltinCorpus). If no corpus has it, it opens the
// folder or file of this name. To open a folder whose name is that of a built-in corpus, write "./offline".
func OpenCorpus(nameOrPath string) (*corpus.Corpus, error) {
	name := builtinFolder(nameOrPath)
	if name == "" {
		return corpus.Open(nameOrPath)
	}
	folder, _ := fs.Sub(builtin, name) // the folder is embedded
	return corpus.Read(folder, nameOrPath, nameOrPath)
}

// CheckCorpus returns the error that OpenCorpus returns if there is no corpus of this name. It does not read
// the corpus.
func CheckCorpus(nameOrPath string) error {
	if builtinFolder(nameOrPath) != "" {
		return nil
	}
	return corpus.Check(nameOrPath)
}
