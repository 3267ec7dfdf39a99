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
	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes when the same search of the same folder could give another result.
const Version = "kb/v2"

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
	// query's words that the passage has, weighted by their rarity; with Embeddings, the mean of this share and
	// the cosine of the vectors.
	SimilarityThreshold float64 `yaml:"similarity_threshold"`
	// KeywordsSimilarityWeight is the weight, 0 to 1, of the words in this mean; nil means DefaultWeight. It
	// must be nil without Embeddings.
	KeywordsSimilarityWeight *float64 `yaml:"keywords_similarity_weight"`
	// Embeddings is the model for vectors, as provider:model; "" means that only words count.
	Embeddings string `yaml:"embeddings"`
	// EmptyResponse is shown to the model if a search returns no passage; may be "".
	EmptyResponse string `yaml:"empty_response"`
}

// maxPassages is the maximum of TopN.
const maxPassages = 50

// Defaults of RAGFlow's retrieval component.
const (
	DefaultTopN      = 8
	DefaultThreshold = 0.2
	DefaultWeight    = 0.5
)

func read(called string, decode func(any) error) (tool.Declared, error) {
	s := Settings{TopN: DefaultTopN, SimilarityThreshold: DefaultThreshold}
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
	provider, name, colon := strings.Cut(s.Embeddings, ":")
	if s.Embeddings != "" && (!colon || provider == "" || name == "") {
		wrong = append(wrong, fmt.Errorf("embeddings %q: write provider:model, such as openai:text-embedding-3-small",
			s.Embeddings))
	}
	switch weight := s.KeywordsSimilarityWeight; {
	case weight != nil && !(*weight >= 0 && *weight <= 1):
		wrong = append(wrong, fmt.Errorf("keywords_similarity_weight is %v: give 0 to 1", *weight))
	case weight != nil && s.Embeddings == "":
		wrong = append(wrong, errors.New("keywords_similarity_weight has no effect without embeddings: name "+
			"provider:model as embeddings, or leave it out"))
	}
	return Declared{name: called, Settings: s}, errors.Join(wrong...)
}

// Declared is a knowledge base that is not open.
type Declared struct {
	name string
	Settings
	sources Sources
}

// Sources are the things outside of the folder that a knowledge base uses.
type Sources struct {
	// Embedder gives the vectors of Settings.Embeddings, and Version identifies everything that they depend on.
	Embedder rank.Embedder
	Version  string
	// Cache is the folder in which indexes are kept; "" keeps none.
	Cache string
}

// With returns the knowledge base with its sources.
func (d Declared) With(s Sources) Declared {
	d.sources = s
	return d
}

// arguments are the arguments of a search.
type arguments struct {
	Query string `json:"query" jsonschema:"What to look for: a few telling words or a short question."`
}

// Spec describes the tool.
func (d Declared) Spec() tool.Spec { return tool.Func[arguments](d.spec(), nil).Spec() }

func (d Declared) spec() tool.Spec {
	about := cmp.Or(strings.TrimSpace(d.About), "Search the knowledge base "+d.name+".")
	return tool.Spec{
		ToolSpec: model.ToolSpec{Name: d.name, Description: about + " Each result has an id to cite, a title, a snippet, " +
			"its source, and a score from 0 to 1 that says how much of the query it covers."},
		// Without a request for vectors, the limit on the length of a query limits its time.
		Evidence: true, OwnDeadline: d.Embeddings == "",
	}
}

// Open reads and indexes the folder.
func (d Declared) Open(ctx context.Context) (tool.Tool, string, error) {
	if _, err := os.Stat(d.Folder); errors.Is(err, fs.ErrNotExist) && !datasets.IsBuiltinFolder(d.Folder) {
		return nil, "", fmt.Errorf("folder %s does not exist: name a folder, or a file, of .md, .txt, .html, .csv or .jsonl",
			d.Folder)
	}
	folder, err := open(d.Folder)
	if err != nil {
		return nil, "", err
	}
	digest := Version + " " + search.Version + " " + folder.Hash
	b := base{Settings: d.Settings, weight: DefaultWeight}
	if b.index, err = search.OfCorpus(folder, d.sources.Cache); err != nil {
		return nil, "", err
	}
	if d.KeywordsSimilarityWeight != nil {
		b.weight = *d.KeywordsSimilarityWeight
	}
	if d.Embeddings != "" {
		digest += " " + d.sources.Version
		if b.vectors, err = b.index.Embed(ctx, d.sources.Embedder); err != nil {
			return nil, "", err
		}
	}
	return tool.Func(d.spec(), b.search), digest, nil
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

// base is an open knowledge base.
type base struct {
	Settings
	index   *search.Corpus
	vectors search.Vectors // empty without Embeddings
	weight  float64        // of the words
}

// search returns the best passages, at most TopN, whose score reaches the threshold.
func (b base) search(ctx context.Context, in arguments) (tool.Output, error) {
	if strings.TrimSpace(in.Query) == "" {
		return tool.Output{}, &tool.RequestError{Kind: tool.BadRequest,
			Err: errors.New("the query is empty: say what to look for")}
	}
	found, err := b.find(ctx, in.Query)
	if err != nil {
		return tool.Output{}, err
	}
	out := tool.Output{Object: map[string]any{}, Documents: []trace.Document{}}
	for _, passage := range found {
		if passage.Score >= b.SimilarityThreshold {
			passage.Backend = Backend
			out.Documents = append(out.Documents, passage)
		}
	}
	if len(out.Documents) == 0 && b.EmptyResponse != "" {
		out.Object["message"] = b.EmptyResponse
	}
	return out, nil
}

// find ranks the passages.
func (b base) find(ctx context.Context, query string) ([]trace.Document, error) {
	if b.Embeddings == "" {
		return b.index.Search(ctx, query, b.TopN)
	}
	found, err := b.index.Hybrid(ctx, query, b.TopN, b.vectors, b.weight)
	if wrong, is := errors.AsType[*model.Error](err); is {
		return nil, &tool.BackendError{Kind: kindOf(wrong.Kind), Err: err, RetryAfter: wrong.RetryAfter}
	}
	return found, err
}

// kindOf returns the kind of a backend's failure (docs/agent.md#search) for the failure of a model for
// embeddings.
func kindOf(k model.ErrorKind) string {
	switch k {
	case model.ErrAuth, model.ErrQuota, model.ErrRateLimited, model.ErrTimeout, model.ErrMalformed:
		return string(k)
	}
	return string(fetch.Upstream)
}
