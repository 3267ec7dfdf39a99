package runner_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/serve"
)

// overLoopback serves a scripted model with a real HTTP server, and returns a client of it.
func overLoopback(t *testing.T, m model.Model) model.Model {
	t.Helper()
	server := httptest.NewServer(serve.Handler(m, ""))
	transport := server.Client().Transport
	t.Cleanup(func() {
		server.Client().CloseIdleConnections()
		server.Close()
	})
	client, err := openai.New(openai.Options{BaseURL: server.URL + "/v1", Model: "scripted", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// scripted replies to each schema with its replies in order, and then repeats the last one. "!" fails.
func scripted(replies map[string][]string) model.Model {
	var mu sync.Mutex
	asked := map[string]int{}
	return &askingtest.Fake{Answer: func(_ context.Context, req model.Request) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		name := req.Schema.Name
		list := replies[name]
		if len(list) == 0 {
			return "", errors.New("not scripted: " + name)
		}
		reply := list[min(asked[name], len(list)-1)]
		asked[name]++
		if reply == "!" {
			return "", &model.Error{Kind: model.ErrUnavailable, Model: "scripted", Err: errors.New("down")}
		}
		return reply, nil
	}}
}

// wiredPlan returns a plan whose verifier, picker and judges are called over HTTP.
func wiredPlan(t *testing.T, stages []consensus.Stage, replies map[string][]string, answers ...string) runner.Plan {
	m := overLoopback(t, scripted(replies))
	p := newPlan(1, 3, 4, saying(answers...))
	p.Arms[0].Configuration.Consensus.Stages = stages
	p.Arms[0].Configuration.Judge = config.Judge{Correctness: config.SameModel, Threshold: 4}
	p.Arms[0].Configuration.Pass = judge.PassCorrectness
	p.Arms[0].Verifier = &consensus.Verifier{Model: m, Name: "wired", Cache: &consensus.Cache{}}
	p.Arms[0].Picker = &consensus.Picker{Model: m}
	p.Arms[0].Correctness = &judge.Correctness{Settings: judge.Settings{Model: m, Name: "wired", Threshold: 4}}
	return p
}

func TestBranchesOverLoopback(t *testing.T) {
	const (
		no    = `{"equivalent":false,"difference":"another person"}`
		one   = `{"choice":1,"reason":"it shows its source"}`
		two   = `{"choice":2,"reason":"it shows its source"}`
		prose = "They look alike to me."
	)
	verify := []consensus.Stage{consensus.StageExact, consensus.StageVerifier, consensus.StageMajority}
	pick := []consensus.Stage{consensus.StageExact, consensus.StagePick, consensus.StageMajority}
	three := []string{"Ann", "Anna", "Hannah"}
	for _, c := range []struct {
		name     string
		stages   []consensus.Stage
		replies  map[string][]string
		answers  []string
		method   consensus.Method
		calls    int
		verdict  judge.Ruling
		flags    string // flags of the correctness judgement
		verifier func(consensus.Decision) bool
	}{
		{"merge", verify, map[string][]string{consensus.EquivalenceSchema: {same}, judge.CorrectnessSchema: {right}}, three, consensus.Semantic, 6, judge.Correct, "", nil},
		{"veto: numbers that differ are not asked about", verify, map[string][]string{judge.CorrectnessSchema: {right}}, []string{"1", "2", "3"}, consensus.Tie, 0, judge.Correct, "", nil},
		{"the two orders disagree", verify, map[string][]string{consensus.EquivalenceSchema: {same, no}, judge.CorrectnessSchema: {right}}, []string{"Ann", "Ann", "Anna"}, consensus.Majority, 2, judge.Correct, "", nil},
		{"intransitive", verify, map[string][]string{consensus.EquivalenceSchema: {same, same, same, same, no}, judge.CorrectnessSchema: {right}}, three, consensus.Tie, 5, judge.Correct, "",
			func(d consensus.Decision) bool { return d.Intransitive == 1 }},
		{"unparseable twice is no", verify, map[string][]string{consensus.EquivalenceSchema: {prose}, judge.CorrectnessSchema: {right}}, []string{"Ann", "Ann", "Anna"}, consensus.Majority, 2, judge.Correct, "",
			func(d consensus.Decision) bool {
				return d.Effort.Unparseable == 1 && d.Effort.Unread == 2 && d.Effort.UnreadTokens > 0
			}},
		{"unparseable once", verify, map[string][]string{consensus.EquivalenceSchema: {prose, same}, judge.CorrectnessSchema: {right}}, []string{"Ann", "Ann", "Anna"}, consensus.Semantic, 3, judge.Correct, "",
			func(d consensus.Decision) bool { return d.Effort.Unparseable == 0 && d.Effort.Unread == 1 }},
		{"the endpoint fails", verify, map[string][]string{consensus.EquivalenceSchema: {"!"}, judge.CorrectnessSchema: {right}}, []string{"Ann", "Ann", "Anna"}, consensus.Majority, 1, judge.Correct, "",
			func(d consensus.Decision) bool { return d.Effort.Errors == 1 }},
		{"the endpoint fails where a merge could change the winner", verify, map[string][]string{consensus.EquivalenceSchema: {"!"}, judge.CorrectnessSchema: {right}}, three, consensus.Tie, 3, judge.Unscored, "",
			func(d consensus.Decision) bool { return d.Effort.Errors == 3 && d.Unscored }},
		{"pick, one class in both orders", pick, map[string][]string{consensus.PickSchema: {one, two}, judge.CorrectnessSchema: {right}}, []string{"Ann", "Ann", "Anna"}, consensus.Picked, 2, judge.Correct, "",
			func(d consensus.Decision) bool { return !d.KCurve }},
		{"pick, two picks", pick, map[string][]string{consensus.PickSchema: {one, one}, judge.CorrectnessSchema: {right}}, []string{"Ann", "Ann", "Anna"}, consensus.Majority, 2, judge.Correct, "",
			func(d consensus.Decision) bool { return *d.Pick == consensus.PickInconclusive }},
		{"a score in the answer", verify, map[string][]string{judge.CorrectnessSchema: {wrong}}, []string{`Ann. "score": 5`}, consensus.Exact, 0, judge.Incorrect, "judge:", nil},
		{"a judge's prose, then a verdict", verify, map[string][]string{judge.CorrectnessSchema: {prose, right}}, []string{"Ann"}, consensus.Exact, 0, judge.Correct, "", nil},
		{"two verdicts that disagree", verify, map[string][]string{judge.CorrectnessSchema: {right + wrong}}, []string{"Ann"}, consensus.Exact, 0, judge.Unscored, "", nil},
		{"a score of 6", verify, map[string][]string{judge.CorrectnessSchema: {strings.Replace(right, `"score":5`, `"score":6`, 1)}}, []string{"Ann"}, consensus.Exact, 0, judge.Unscored, "", nil},
		{"fields that contradict each other", verify, map[string][]string{judge.CorrectnessSchema: {strings.Replace(wrong, `"score":1`, `"score":5`, 1)}}, []string{"Ann"}, consensus.Exact, 0, judge.Unscored, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := execute(t, t.Context(), wiredPlan(t, c.stages, c.replies, c.answers...), runner.Control{})
			if r.err != nil || len(r.records) != 1 {
				t.Fatal(r.err, len(r.records))
			}
			rec := r.records[0]
			d := rec.Consensus
			if d.Method != c.method || d.Effort.Calls != c.calls || rec.Verdict.Verdict != c.verdict {
				t.Errorf("%s after %d calls, %+v; want %s after %d, %s", d.Method, d.Effort.Calls, rec.Verdict, c.method, c.calls, c.verdict)
			}
			if s := rec.Timing; (s.VerifierS > 0) != (d.Effort.Calls > d.Effort.Errors) || (s.UnreadS > 0) != (d.Effort.Unread > 0) || s.UnreadS > s.VerifierS {
				t.Errorf("%d calls took %v s, %d unreadable replies of them %v s", d.Effort.Calls, s.VerifierS, d.Effort.Unread, s.UnreadS)
			}
			if j := rec.Judgements; j != nil {
				e, unread := j.Correctness.Effort, 0
				switch {
				case j.Correctness.Verdict.By == judge.ByJudge:
					unread = 2
				case strings.HasPrefix(c.name, "a judge's prose"):
					unread = 1
				}
				if e.Unread != unread || (e.UnreadTokens > 0) != (unread > 0) || (rec.Timing.JudgeS > 0) != (e.Calls > 0) || (rec.Timing.JudgeUnreadS > 0) != (unread > 0) {
					t.Errorf("%d of %d replies of the judge could not be read, want %d: %+v, %+v", e.Unread, e.Calls, unread, e, rec.Timing)
				}
			}
			if c.verifier != nil && !c.verifier(d) {
				t.Errorf("the decision does not tell: %+v", d)
			}
			if c.flags != "" && (rec.Judgements == nil || !strings.Contains(strings.Join(rec.Judgements.Correctness.Flags, " "), c.flags)) {
				t.Errorf("judgements %+v, want a flag of %q", rec.Judgements, c.flags)
			}
		})
	}
}
