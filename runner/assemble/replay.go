package assemble

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// Replay is a recording that replaces models and tools.
type Replay struct {
	Recording *replay.Recording
	Missing   bool // call the model for requests that are not recorded
	Regrade   bool // the gold may differ, so rule-based judges are called again

	judging bool                        // only the traces are used; they are judged like new traces
	servers map[string]store.ToolServer // the recorded servers of the agent whose tools are being opened
}

// plain reports whether the recording was made by a version of concur without tokens in replies. Verifier and
// judges then use the prompts of that version.
func (s *Session) plain() bool {
	return s.Replays() && !s.options.Replay.judging &&
		s.Draft.Manifest.Versions["verifier"] == consensus.PlainPromptVersion
}

// Canaries that earlier versions of concur did not ask. The names are keys of a manifest's versions.
const (
	pickCanaries   = "pick_canaries"
	rubricCanaries = "rubric_canaries"
)

// tries reports whether these canaries are asked. In a replay they are asked only if the recorded run asked
// them.
func (s *Session) tries(canaries string) bool {
	return !s.Replays() || s.options.Replay.judging || s.Draft.Manifest.Versions[canaries] != ""
}

// asRecorded replaces versions in a manifest: if a replay uses a recorded version, this version takes the place
// of the newest one.
func (s *Session) asRecorded(versions map[string]string) {
	for _, canaries := range []string{pickCanaries, rubricCanaries} {
		if !s.tries(canaries) {
			delete(versions, canaries)
		}
	}
	if !s.plain() {
		return
	}
	for _, prompt := range []string{"verifier", "pick", "correctness", "quality", "rubric", "extraction"} {
		if was, recorded := s.Draft.Manifest.Versions[prompt]; recorded {
			versions[prompt] = was
		}
	}
}

// open opens a replayed model. It opens the real model only if the real model may be called.
func (r *Replay) open(text string, limited func(string) (model.Model, error), stop context.CancelCauseFunc) (
	model.Model, error) {
	recorded := &replay.Model{Recording: r.Recording, Name: text}
	rules := r.Regrade && config.IsOffline(text) // the offline model needs neither network nor money
	var judge model.Model
	if r.Missing || rules {
		asked, err := limited(text)
		if err != nil {
			return nil, err
		}
		if rules {
			judge = asked
		}
		if r.Missing {
			recorded.Missing = asked
		}
	}
	return recordedModel{recorded, judge, stop}, nil
}

// recordedModel is a replayed model. If the recording has no reply to a request of the extractor, the verifier
// or a judge, and judge is set, it calls judge. For any other request without a reply it ends the run, because
// further requests would also fail.
type recordedModel struct {
	*replay.Model
	judge model.Model
	stop  context.CancelCauseFunc
}

func (r recordedModel) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	resp, err := r.Model.Complete(ctx, req)
	left := replay.StoppedBy(err)
	if left == nil {
		return resp, err
	}
	if r.judge != nil && req.Identity.Purpose != model.Agent {
		return r.judge.Complete(ctx, req)
	}
	r.stop(left)
	return resp, err
}

// unaskedBackend returns a search backend for a replay. It needs neither a key nor a network. It has the same
// description as the real backend.
func unaskedBackend(name string) search.Backend {
	if name == config.BackendWikipedia {
		return unaskedLanguages{unasked(name)}
	}
	return unasked(name)
}

type unasked string

func (u unasked) Name() string { return string(u) }

func (u unasked) Search(context.Context, string, int) ([]trace.Document, error) {
	return nil, fmt.Errorf("%s is not called in a replay", string(u))
}

type unaskedLanguages struct{ unasked }

func (u unaskedLanguages) SearchLanguage(ctx context.Context, _, query string, limit int) ([]trace.Document, error) {
	return u.Search(ctx, query, limit)
}
