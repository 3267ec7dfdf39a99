package program

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/judge/checking"
)

// Programs decides checks by programs. Set the fields before the first check. It is safe for concurrent use.
type Programs struct {
	Env   []string // the whole environment of the programs, as NAME=value
	Log   func(line string)
	Hider *secret.Hider // removes keys from what the programs write; may be nil
	// Known has results of an earlier run by their keys; they are not asked for again. It may be nil.
	Known map[string]checking.Result

	process.Set
	cache memo.Once[string, checking.Result]

	mu    sync.Mutex
	pools map[string]*pool    // programs that serve, by their command
	tried map[[2]string]bool  // queries and commands of which one message was checked twice
	files map[string]fileHash // by path
}

// Decide returns what a program says of a trace. A program that fails, or that answers differently when it is asked
// twice, decides nothing.
func (p *Programs) Decide(ctx context.Context, c checks.Check, q Question) checking.Result {
	name := strings.Join(c.Exec.Command, " ")
	digests, err := p.digests(c.Exec.Command)
	if err != nil {
		return checking.Undecided("%s: %v", name, err)
	}
	q.Schema, q.Call = Schema, 0
	key, err := keyOf(c, digests, q)
	if err != nil {
		return checking.Undecided("%s: %v", name, err)
	}
	if r, known := p.Known[key]; known {
		return r
	}
	r, err := p.cache.Get(ctx, key, func() (checking.Result, bool, error) {
		r := p.once(ctx, c, q, digests)
		if r.Pass != nil && p.first(q.ID, name) {
			r = steady(r, p.once(ctx, c, q, digests))
		}
		r.Key = key
		return r, r.Pass != nil || r.Unsteady, nil
	})
	if err != nil {
		return checking.Undecided("%s: %v", name, err)
	}
	return r
}

// first reports whether no message of a query was checked by a command yet.
func (p *Programs) first(query, command string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tried == nil {
		p.tried = map[[2]string]bool{}
	}
	before := p.tried[[2]string{query, command}]
	p.tried[[2]string{query, command}] = true
	return !before
}

// steady returns the first of two results for the same message, if the second is the same.
func steady(first, second checking.Result) checking.Result {
	switch {
	case second.Pass == nil:
		second.Unsteady = true
		second.Reason = "the second time, for the same message: " + second.Reason
		return second
	case *first.Pass != *second.Pass:
		out := checking.Undecided("the program answers the same message differently: first %s (%s), then %s (%s)",
			passes(first), first.Reason, passes(second), second.Reason)
		out.Unsteady = true
		return out
	}
	first.Unsteady = first.Score != second.Score
	return first
}

func passes(r checking.Result) string {
	if *r.Pass {
		return "pass"
	}
	return "fail"
}

// once asks a program once.
func (p *Programs) once(ctx context.Context, c checks.Check, q Question, digests []string) checking.Result {
	name := strings.Join(c.Exec.Command, " ")
	ask := p.run
	if c.Exec.Serve {
		ask = p.serve
	}
	limit := c.Exec.Limit()
	limited, end := context.WithTimeoutCause(ctx, limit, fmt.Errorf("gave no reply within %s", limit))
	defer end()
	answered, err := ask(limited, c.Exec.Command, q)
	if answered.Reason = p.Hider.Hide(answered.Reason); err == nil {
		var r checking.Result
		if r, err = answered.result(c); err == nil {
			after, wrong := p.digests(c.Exec.Command)
			for i, digest := range digests {
				if wrong == nil && after[i] != digest {
					wrong = fmt.Errorf("changed its own file %s", c.Exec.Command[i])
				}
			}
			if err = wrong; err == nil {
				return r
			}
		}
	}
	return checking.Undecided("%s %v", name, p.Hider.Error(err))
}

// keyOf returns the key of a check of a trace: a hash of everything that the result may depend on.
func keyOf(c checks.Check, digests []string, q Question) (string, error) {
	raw, err := json.Marshal(struct {
		Command, Digests []string
		Threshold        float64
		Question         Question
	}{c.Exec.Command, digests, c.Threshold, q})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16]), nil
}

// fileHash is the hash of a file's content, with the facts by which a change is noticed.
type fileHash struct {
	size     int64
	modified time.Time
	hash     string
}

// digests returns the hash of each argument that is a file; "" for the others.
func (p *Programs) digests(command []string) ([]string, error) {
	out := make([]string, len(command))
	for i, path := range command {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		p.mu.Lock()
		known := p.files[path]
		p.mu.Unlock()
		if known.hash == "" || known.size != info.Size() || !known.modified.Equal(info.ModTime()) {
			if known.hash, err = hashFile(path); err != nil {
				return nil, err
			}
			known.size, known.modified = info.Size(), info.ModTime()
			p.mu.Lock()
			if p.files == nil {
				p.files = map[string]fileHash{}
			}
			p.files[path] = known
			p.mu.Unlock()
		}
		out[i] = known.hash
	}
	return out, nil
}

// Files looks for the arguments of commands that are files. It returns the hash of the content of each such
// file, by its path: 16 hexadecimal digits. If a file cannot be read, it returns an error.
func Files(commands [][]string) (map[string]string, error) {
	out := map[string]string{}
	var p Programs
	for _, command := range commands {
		found, err := p.digests(command)
		if err != nil {
			return nil, err
		}
		for i, hash := range found {
			if hash != "" {
				out[command[i]] = hash[:16]
			}
		}
	}
	return out, nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Close ends the programs that serve.
func (p *Programs) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pool := range p.pools {
		pool.close()
	}
	return nil
}

var errFlood = errors.New("wrote more than 1 MiB")
