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

// Replay is a recording that answers for models and tools.
type Replay struct {
	Recording *replay.Recording
	Missing   bool // what is not recorded is asked
	Regrade   bool // the gold may be another: rule-based judges are asked about it

	judging bool                        // traces alone are taken from it, and judged as they are now
	servers map[string]store.ToolServer // of the agent whose tools are opened, as recorded
}

// plain reports whether a recording answers in which no reply repeats a token: verifier and judges then ask as they
// did when it was made.
func (s *Session) plain() bool {
	return s.Replays() && !s.options.Replay.judging && s.Draft.Manifest.Versions["verifier"] == consensus.PlainPromptVersion
}

// openReplayed opens the model itself only where it may have to answer.
func (m *Models) openReplayed(text string, limited func(string) (model.Model, error)) (model.Model, error) {
	r := m.options.Replay
	recorded := &replay.Model{Recording: r.Recording, Name: text}
	rules := r.Regrade && config.IsOffline(text) // which need neither network nor money
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

// recordedModel is a model as recorded. A request that the recording does not answer goes to judge where it is not
// the agent's, if there is a judge; else it ends the run: every further one would only say the same.
type recordedModel struct {
	*replay.Model
	judge model.Model
	stop  context.CancelCauseFunc
}

func (r recordedModel) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	resp, err := r.Model.Complete(ctx, req)
	left := replay.Left(err)
	if left == nil {
		return resp, err
	}
	if r.judge != nil && req.Identity.Purpose != model.Agent {
		return r.judge.Complete(ctx, req)
	}
	r.stop(left)
	return resp, err
}

// unaskedBackend stands for a search backend that a replay does not ask, so that it needs
// neither key nor network: its tool describes itself as with it.
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
