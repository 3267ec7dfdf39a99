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
	Missing   bool // models are called for requests that are not recorded
	Regrade   bool // the gold may have changed: rule-based judges are called again

	judging bool                        // only the traces are used, and they are judged as new ones
	servers map[string]store.ToolServer // servers of the agent whose tools are opened, as recorded
}

// plain reports whether the recording is from a version without tokens in replies. Verifier and judges then
// use the prompts of that version.
func (s *Session) plain() bool {
	return s.Replays() && !s.options.Replay.judging &&
		s.Draft.Manifest.Versions["verifier"] == consensus.PlainPromptVersion
}

// Keys of a manifest's versions for canaries that earlier runs did not ask. Runs that do not need them have none.
const (
	pickCanaries   = "pick_canaries"
	rubricCanaries = "rubric_canaries"
)

// tries reports whether these canaries are asked: of a recording, only if the recorded run asked them.
func (s *Session) tries(canaries string) bool {
	return !s.Replays() || s.options.Replay.judging || s.Draft.Manifest.Versions[canaries] != ""
}

// asRecorded writes into the versions of a manifest those with which a replay asks in place of the newest.
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

// openReplayed opens a replayed model. It opens the model itself only if it may be called.
func (m *Models) openReplayed(text string, limited func(string) (model.Model, error)) (model.Model, error) {
	r := m.options.Replay
	recorded := &replay.Model{Recording: r.Recording, Name: text}
	rules := r.Regrade && config.IsOffline(text) // these need neither network nor money
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
	return recordedModel{recorded, judge, m.stop}, nil
}

// recordedModel is a replayed model. For a request that is not recorded and not the agent's, it calls judge,
// if there is one. Otherwise it ends the run, because further requests would fail in the same way.
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

// unaskedBackend replaces a search backend in a replay, so that it needs neither key nor network. Its tool has
// the same description.
func unaskedBackend(name string) search.Backend {
	if name == config.BackendWikipedia {
		return unaskedLanguages{unasked(name)}
	}
	return unasked(name)
}

type unasked string

func (u unasked) Name() string { return string(u) }

func (u unasked) Search(context.Context, string, int) ([]trace.Document, error) {
	return nil, fmt.Errorf("%s is not asked in a replay", string(u))
}

type unaskedLanguages struct{ unasked }

func (u unaskedLanguages) SearchLanguage(ctx context.Context, _, query string, limit int) ([]trace.Document, error) {
	return u.Search(ctx, query, limit)
}
