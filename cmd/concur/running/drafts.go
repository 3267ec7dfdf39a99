package running

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/hubbing"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/questions"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// resumeAction runs the missing part of a run or an ablation, and reports on the whole.
func resumeAction(ctx context.Context, c *console.Console, given *flags.TracesOptions, o *console.Output) error {
	run, draft, err := retake(c, given, o, retaken{of: given.Resume})
	if err != nil {
		return err
	}
	defer draft.Dataset.Close()
	tellShard(c, draft, given.Quiet)
	scope := draft.Scope(given.RetryFailed)
	if dry := given.DryRun; dry || run.Manifest.State == store.Complete {
		switch prior, err := run.Prior(scope); {
		case dry && err != nil:
			return err
		case dry:
			return forecast(c, o, draft, prior)
		case err == nil && prior.Queries() == draft.Dataset.Len()*len(draft.Manifest.Configurations):
			return reading.ReportOn(c, run.Dir, o, true, reading.Reporting(&given.ReportOptions))
		}
	}
	// A database with other content than in the first sessions is an error. Damage is repaired or refused below.
	executed, _ := runner.ExecutedBy(run, draft.Dataset)
	sends, err := telemetryOf(c, &given.Settings)
	if err != nil {
		return err
	}
	options := given.Hub.Options(assemble.Options{Folder: run.Dir, Executed: executed})
	return c.Assembler.While(ctx, draft, options,
		func(running context.Context, s *assemble.Session) error {
			// The hashes of the agents were computed again when the agents were opened.
			if err := draft.CheckAgents(s.Plan, s.Manifest().Agents); err != nil {
				return err
			}
			if err := cmp.Or(s.Spent(run), hubbing.Check(&given.Hub, s)); err != nil {
				return err
			}
			if err := hubbing.Try(running, c, &given.Hub); err != nil {
				return err
			}
			out, prior, err := run.Resume(time.Now(), scope)
			if err != nil {
				return err
			}
			return Execute(running, c, s, out, prior, o,
				Execution{given.Quiet, reading.Reporting(&given.ReportOptions), &given.Hub, sends})
		})
}

// replayAction runs a run again from its recording: models and tools give the recorded answers, without the
// network.
func replayAction(ctx context.Context, c *console.Console, given *runOptions, o *console.Output) error {
	return replayOf(ctx, c, given, o,
		retaken{of: given.replay, replay: true, regrade: given.check, missing: given.recordMissing})
}

func replayOf(ctx context.Context, c *console.Console, given *runOptions, o *console.Output, of retaken) error {
	run, draft, err := retake(c, &given.TracesOptions, o, of)
	if err != nil {
		return err
	}
	defer draft.Dataset.Close()
	recording, err := run.Recording()
	if err != nil {
		return fmt.Errorf("replay run %s: %w", run.Manifest.Run, err)
	}
	defer recording.Close() // opened only for reading
	if given.DryRun {
		return forecast(c, o, draft, nil)
	}
	source := replay.New(recording)
	source.Forget(of.forget)
	checked, err := runner.CheckedBy(run, draft.Dataset)
	if err != nil {
		return err
	}
	executed, err := runner.ExecutedBy(run, draft.Dataset)
	if err != nil {
		return err
	}
	replayed := &assemble.Replay{Recording: source, Missing: of.missing, Regrade: of.regrade}
	options := assemble.Options{Folder: run.Dir, Checked: checked, Executed: executed, Replay: replayed}
	return c.Assembler.While(ctx, draft, options, func(running context.Context, s *assemble.Session) error {
		out, err := store.Create(given.RunsDir, s.Manifest())
		if err != nil {
			return err
		}
		err = Execute(running, c, s, out, nil, o, Execution{Quiet: given.Quiet, How: reading.Reporting(&given.ReportOptions)})
		if err != nil || !given.check {
			return err
		}
		return checkReplay(c, run, out.Dir())
	})
}

// retaken is a run to resume or replay. With regrade (flag --check), a replay judges by the golds that the dataset has
// now, also if they differ from those of the recorded run. With missing (flag --record-missing), models and tools get
// requests that are not recorded; forget names queries that count as not recorded, see replay.Recording.Forget.
type retaken struct {
	of                       string
	replay, regrade, missing bool
	forget                   func(query string) (agent, rest bool)
}

func (a retaken) word() string {
	if a.replay {
		return flags.NameReplay
	}
	return flags.NameResume
}

// retake opens the run that a flag names, and returns a draft from its manifest and the command line.
func retake(c *console.Console, given *flags.TracesOptions, o *console.Output, from retaken) (run *store.Run,
	draft runner.Draft, err error) {
	if given.Shard != "" {
		return nil, draft, console.Usagef("--shard is for a new run: leave it out, because the shard of a run cannot change")
	}
	if run, err = runlist.Find(given.RunsDir, from.of); err != nil {
		return nil, draft, err
	}
	if of := run.Manifest.RejudgeOf; of != "" {
		return nil, draft, console.Usagef("run %s has the traces of %s, judged again: replay %[2]s, or finish judging with "+
			"`%[3]s`",
			run.Manifest.Run, of, store.ResumeCommand(run.Dir, run.Manifest))
	}
	r := runner.Retake{
		Replay: from.replay, Regrade: from.regrade, RetryFailed: given.RetryFailed,
		Seed: given.Seed, Versions: c.Assembler.Versions, Now: time.Now(),
	}
	switch ablation := run.Manifest.Ablation != ""; {
	case ablation && r.Replay:
		err = fmt.Errorf("it is an ablation of %d configurations, and only single runs can be replayed",
			len(run.Manifest.Configurations))
	case ablation:
		r.Settings, err = ablationSettings(given, run.Manifest)
	default:
		r.Source = given.Word(0)
		r.Settings, err = runSettings(c, given, run.Manifest)
	}
	if err == nil && r.Replay && run.Manifest.Kind() == store.KindAsk {
		r.Questions, err = questions.Open(run)
	}
	if err != nil {
		return nil, draft, fmt.Errorf("%s run %s: %w", from.word(), run.Manifest.Run, err)
	}
	if r.Selection, err = selected(c, given); err != nil {
		return nil, draft, err
	}
	if draft, err = r.Draft(run.Manifest); err != nil {
		return nil, draft, err
	}
	return run, draft, o.SpareInputs(draft.Manifest)
}

// checkReplay compares the verdicts of a replay with the verdicts of the recording. In both, models and tools
// gave the same replies. So a difference shows that concur now reads, votes or judges in another way.
func checkReplay(c *console.Console, recorded *store.Run, dir string) error {
	replayed, err := store.Open(dir)
	if err != nil {
		return err
	}
	name := recorded.Manifest.Run
	n, changed, err := store.ChangedVerdicts(recorded, replayed)
	if err != nil {
		return console.WithCode(console.ExitInvalid, fmt.Errorf("replay of %s: %w", name, err))
	}
	if len(changed) > 0 {
		lines := make([]string, len(changed))
		for i, pair := range changed {
			lines[i] = fmt.Sprintf("%s: %s (%s), now %s (%s)", pair[0].Query, pair[0].Verdict.Verdict,
				pair[0].Decided(), pair[1].Verdict.Verdict, pair[1].Decided())
		}
		return console.WithCode(console.ExitRegression,
			fmt.Errorf("replay of %s: %d of %d verdicts differ from the recording, "+
				"although models and tools gave the same replies:\n%s", name, len(changed), n, strings.Join(lines, "\n")))
	}
	again := "This tests concur's own pipeline, and says nothing new about the agent."
	if recorded.Manifest.Configurations[0].Configuration.Agent.External.Used() {
		again = "The agent ran again, on the model's recorded replies."
	}
	_, err = fmt.Fprintf(c.Err, "replay of %s: all %d verdicts equal the recording. %s\n", name, n, again)
	return err
}
