package kb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/corpus"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes when the same search of the same folder could give another result.
const Version = "kb/v1"

// Backend is the beginning of the ids of passages, such as kb_1.
const Backend = "kb"

// Kind is the kind of tool that is declared as tools.NAME.folder.
var Kind = tool.Kind{Key: "folder", Paths: []string{"folder"}, Read: read}

// Settings are the settings of a knowledge base. The names are those of RAGFlow's retrieval component.
type Settings struct {
	Folder string `yaml:"folder"`
	// About tells the model what the folder contains.
	About string `yaml:"about"`
	// TopN is the number of passages that a search returns, 1 to 50.
	TopN int `yaml:"top_n"`
	// SimilarityThreshold is the lowest score, 0 to 1, of a returned passage. The score is the share of the
	// query's words that the passage has, weighted by their rarity.
	SimilarityThreshold float64 `yaml:"similarity_threshold"`
	// EmptyResponse is shown to the model if a search returns no passage; may be "".
	EmptyResponse string `yaml:"empty_response"`
}

// maxPassages is the maximum of TopN.
const maxPassages = 50

func read(name string, decode func(any) error) (tool.Declared, error) {
	s := Settings{TopN: 8, SimilarityThreshold: 0.2}
	if err := decode(&s); err != nil {
		return nil, err
	}
	var wrong []error
	if strings.TrimSpace(s.Folder) == "" {
		wrong = append(wrong, errors.New("folder is empty: name a folder with .md, .txt, .html, .csv or .jsonl files"))
	}
	if s.TopN < 1 || s.TopN > maxPassages {
		wrong = append(wrong, fmt.Errorf("top_n is %d: give 1 to %d passages", s.TopN, maxPassages))
	}
	if !(s.SimilarityThreshold >= 0 && s.SimilarityThreshold <= 1) {
		wrong = append(wrong, fmt.Errorf("similarity_threshold is %v: give 0 to 1", s.SimilarityThreshold))
	}
	return declared{name, s}, errors.Join(wrong...)
}

type declared struct {
	name string
	Settings
}

// arguments are the arguments of a search.
type arguments struct {
	Query string `json:"query" jsonschema:"What to look for: a few telling words or a short question."`
}

// Spec describes the tool.
func (d declared) Spec() tool.Spec { return tool.Func[arguments](d.spec(), nil).Spec() }

func (d declared) spec() tool.Spec {
	about := cmp.Or(strings.TrimSpace(d.About), "Search the knowledge base "+d.name+".")
	return tool.Spec{
		ToolSpec: model.ToolSpec{Name: d.name, Description: about + " Each result has an id to cite, a title, a snippet, " +
			"its source, and a score from 0 to 1 that says how much of the query it covers."},
		Evidence: true, OwnDeadline: true, // limits on the length of a query limit its time
	}
}

// Open reads and indexes the folder.
func (d declared) Open(context.Context) (tool.Tool, string, error) {
	if _, err := os.Stat(d.Folder); errors.Is(err, fs.ErrNotExist) && !datasets.IsBuiltinFolder(d.Folder) {
		return nil, "", fmt.Errorf("folder %s does not exist: name a folder, or a file, of .md, .txt, .html, .csv or .jsonl",
			d.Folder)
	}
	folder, err := open(d.Folder)
	if err != nil {
		return nil, "", err
	}
	entries := make([]search.Entry, len(folder.Documents))
	for i, passage := range folder.Documents {
		entries[i] = search.Entry{ID: passage.ID, Title: passage.Title, Text: passage.Text, Source: passage.Source}
	}
	index, err := search.NewCorpus(entries)
	if err != nil {
		return nil, "", err
	}
	find := func(ctx context.Context, in arguments) (tool.Output, error) { return d.search(ctx, index, in.Query) }
	return tool.Func(d.spec(), find), Version + " " + search.Version + " " + folder.Hash, nil
}

// open reads a folder or a file. Only names of the form builtin:kb60 are built-in folders.
func open(path string) (*corpus.Corpus, error) {
	switch {
	case datasets.IsBuiltinFolder(path) && !datasets.IsBuiltinCorpus(path):
		return nil, fmt.Errorf("there is no built-in folder %s: name builtin:kb60, or write ./%[1]s for a folder of yours",
			path)
	case datasets.IsBuiltinFolder(path):
		return datasets.OpenCorpus(path)
	}
	return corpus.Open(path)
}

// search returns the best passages, at most TopN, whose score reaches the threshold.
func (d declared) search(ctx context.Context, index *search.Corpus, query string) (tool.Output, error) {
	if strings.TrimSpace(query) == "" {
		return tool.Output{}, &tool.RequestError{Kind: tool.BadRequest,
			Err: errors.New("the query is empty: say what to look for")}
	}
	found, err := index.Search(ctx, query, d.TopN)
	if err != nil {
		return tool.Output{}, err
	}
	out := tool.Output{Object: map[string]any{}, Documents: []trace.Document{}}
	for _, passage := range found {
		if passage.Score >= d.SimilarityThreshold {
			passage.Backend = Backend
			out.Documents = append(out.Documents, passage)
		}
	}
	if len(out.Documents) == 0 && d.EmptyResponse != "" {
		out.Object["message"] = d.EmptyResponse
	}
	return out, nil
}
