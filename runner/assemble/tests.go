package assemble

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/choose"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/judge/program"
	"github.com/seed-5817661a/concur/tool/code/tests"
)

// programTests decides checks that are tests of programs. It is safe for concurrent use.
type programTests struct {
	runners map[string]tests.Runner // by language
	suites  map[string]tests.Suite  // by the check as JSON
	known   map[string]checking.Result
	cache   memo.Once[string, checking.Result]
}

// maxTests is the largest file of tests in bytes.
const maxTests = 1 << 20

// openTests reads the tests of the dataset's checks, and opens the sandboxes for their languages. The error is about
// tests that cannot be read or run.
func (s *Session) openTests(ctx context.Context, suites []checks.Check) error {
	if len(suites) == 0 {
		return nil
	}
	t := &programTests{runners: map[string]tests.Runner{}, suites: map[string]tests.Suite{}, known: s.options.Checked}
	files := map[string]string{}
	var wrong []error
	for _, c := range suites {
		suite, err := readSuite(c)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("tests of the dataset, %w", err))
			continue
		}
		if !c.Suite.Inline(c.Text) {
			files[c.Text] = digest([]byte(suite.Text))[:16]
		}
		t.suites[suiteKey(c)] = suite
		if _, open := t.runners[suite.Language]; open {
			continue
		}
		engine, err := openSandbox(ctx, suite.Language, s.a.ProcessVariable)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("tests of the dataset: %w", err))
			t.runners[suite.Language] = tests.Runner{} // reported once
			continue
		}
		s.closers = append(s.closers, engine)
		t.runners[suite.Language] = tests.Runner{Engine: engine}
	}
	for _, suite := range t.suites {
		if err := suite.RunsIn(t.runners[suite.Language].Engine); err != nil && len(wrong) == 0 {
			wrong = append(wrong, fmt.Errorf("tests of the dataset: %w", err))
		}
	}
	s.addFiles(files)
	s.Plan.Tests = t
	return errors.Join(wrong...)
}

// addFiles adds hashes of files on which checks depend to the manifest, by their paths.
func (s *Session) addFiles(hashes map[string]string) {
	if s.Draft.Manifest.Programs == nil {
		s.Draft.Manifest.Programs = map[string]string{}
	}
	maps.Copy(s.Draft.Manifest.Programs, hashes)
}

// readSuite reads the tests of a check.
func readSuite(c checks.Check) (tests.Suite, error) {
	suite := tests.Suite{Language: c.Suite.In(c.Text), Text: c.Text, Beside: c.Suite.Beside,
		Limits: sandbox.Limits{Time: c.Suite.Limit()}}
	if c.Suite.Inline(c.Text) {
		return suite, suite.Check()
	}
	info, err := os.Stat(c.Text)
	switch {
	case err != nil:
		return suite, fmt.Errorf("%s: there is no such file: name a file, relative to the folder in which concur runs",
			c.Text)
	case !info.Mode().IsRegular() || info.Size() > maxTests:
		return suite, fmt.Errorf("%s: give an ordinary file of at most %d bytes", c.Text, maxTests)
	}
	raw, err := os.ReadFile(c.Text)
	if err != nil {
		return suite, err
	}
	suite.Text = string(raw)
	if err := suite.Check(); err != nil {
		return suite, fmt.Errorf("%s: %w", c.Text, err)
	}
	return suite, nil
}

// openSandbox opens the sandbox that runs programs under tests: quickjs for JavaScript, and for Python the best one of
// this machine.
func openSandbox(ctx context.Context, language string, getenv func(string) string) (sandbox.Engine, error) {
	if language == sandbox.JavaScript {
		return quickjs.New(), nil
	}
	return choose.Open(ctx, choose.Options{Sandbox: choose.Auto, Languages: []string{language}, Getenv: getenv})
}

// suiteKey identifies tests among those of a dataset.
func suiteKey(c checks.Check) string {
	c.Weight = nil
	raw, err := json.Marshal(c)
	if err != nil {
		return err.Error() // a check can be encoded
	}
	return string(raw)
}

// Decide runs the program of a trace under tests. Equal programs are run once.
func (t *programTests) Decide(ctx context.Context, c checks.Check, q program.Question) checking.Result {
	suite, known := t.suites[suiteKey(c)]
	if !known {
		return checking.Undecided("the tests were not read")
	}
	source := programOf(q, suite.Language)
	if source == "" {
		return checking.Decided(false, "the message has no block of "+suite.Language+" code, and the agent ran no program")
	}
	runner := t.runners[suite.Language]
	raw, err := json.Marshal([]any{tests.Version, runner.Engine.Version(), suite, source})
	if err != nil {
		return checking.Undecided("%v", err)
	}
	sum := sha256.Sum256(raw)
	key := hex.EncodeToString(sum[:16])
	if r, known := t.known[key]; known {
		return r
	}
	r, err := t.cache.Get(ctx, key, func() (checking.Result, bool, error) {
		v, err := runner.Run(ctx, source, suite)
		if err != nil {
			r := checking.Undecided("%v", err)
			r.Key = key
			return r, false, ctx.Err()
		}
		r := checking.Decided(v.Pass, v.Reason)
		r.Score, r.Key, r.Forgeable = v.Score(), key, v.Forgeable
		return r, true, nil
	})
	if err != nil {
		return checking.Undecided("%v", err)
	}
	return r
}

// labels are the names of languages after a code fence. A fence without a name counts for every language.
var labels = map[string]string{
	"python": sandbox.Python, "py": sandbox.Python, "python3": sandbox.Python,
	"javascript": sandbox.JavaScript, "js": sandbox.JavaScript, "node": sandbox.JavaScript,
}

// programOf returns the program that an agent gives as its answer: the last block of code of its message in the
// language, else the code of its last call of a tool for programs; "" without one. The message comes first because it
// is what a person gets: the last call may be an experiment.
func programOf(q program.Question, language string) string {
	if block := lastBlock(q.Message, language); block != "" {
		return block
	}
	for i := len(q.Steps) - 1; i >= 0; i-- {
		var input struct {
			Code     string `json:"code"`
			Language string `json:"language"`
		}
		a := q.Steps[i].Action
		if a == nil || json.Unmarshal(a.Input, &input) != nil || strings.TrimSpace(input.Code) == "" {
			continue
		}
		if input.Language == "" || labels[strings.ToLower(input.Language)] == language {
			return input.Code
		}
	}
	return ""
}

// lastBlock returns the last fenced block of a text in a language. A block that is not closed is not complete.
func lastBlock(text, language string) string {
	last, fence, label := "", "", ""
	var lines []string
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
			rest := strings.TrimLeft(trimmed, trimmed[:1])
			fence, lines = trimmed[:len(trimmed)-len(rest)], nil
			label, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(rest)), " ")
		case fence != "" && strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "":
			if block := strings.Join(lines, ""); (label == "" || labels[label] == language) && strings.TrimSpace(block) != "" {
				last = block
			}
			fence = ""
		case fence != "":
			lines = append(lines, line)
		}
	}
	return last
}
