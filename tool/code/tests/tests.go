package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/runners"
	"github.com/seed-5817661a/concur/internal/text"
)

// Version changes when the same program and tests could have another verdict.
const Version = "tests/v1"

// Suite is the tests of a program.
type Suite struct {
	Language string // sandbox.Python or sandbox.JavaScript
	// Text is lines of JSON, each a Case; or else a program in Language that makes the calls itself.
	Text string
	// Beside runs Text after the program, in the same interpreter. The verdict is then forgeable.
	Beside bool
	Limits sandbox.Limits // of each process
}

// Case is one test: a call of a function of the program, and what it should give.
type Case struct {
	runners.Call
	Want      json.RawMessage `json:"want"`      // the returned value
	Raises    string          `json:"raises"`    // or the name of the exception, such as ValueError
	Tolerance float64         `json:"tolerance"` // between numbers, at least 0
}

// Verdict is what tests say of a program.
type Verdict struct {
	Pass      bool
	Passed    int    // tests that pass
	Total     int    // tests
	Reason    string // why the first test fails; of a program that passes, how many tests it passes
	Forgeable bool   // the program could have made the verdict itself
}

// Score returns the share of tests that pass.
func (v Verdict) Score() float64 {
	switch {
	case v.Pass:
		return 1
	case v.Total == 0:
		return 0
	}
	return float64(v.Passed) / float64(v.Total)
}

// Check returns an error if the tests themselves are wrong, as far as that can be seen without running them.
func (s Suite) Check() error {
	if s.Beside || !IsCases(s.Text) {
		if strings.TrimSpace(s.Text) == "" {
			return errNoTests
		}
		return nil
	}
	_, err := ReadCases(s.Text)
	return err
}

// RunsIn returns an error if an engine cannot run the tests.
func (s Suite) RunsIn(engine sandbox.Engine) error {
	if _, talks := engine.(sandbox.Talker); !talks && !s.Beside && !IsCases(s.Text) {
		return ErrForm
	}
	return nil
}

// Runner runs programs and tests. It is safe for concurrent use.
type Runner struct{ Engine sandbox.Engine }

// Run runs a program under tests. An error means that nothing is known of the program: the sandbox failed, or the tests
// are wrong.
func (r Runner) Run(ctx context.Context, program string, s Suite) (Verdict, error) {
	if s.Beside {
		return r.beside(ctx, program, s)
	}
	if !IsCases(s.Text) {
		return r.apart(ctx, program, s)
	}
	cases, err := ReadCases(s.Text)
	if err != nil {
		return Verdict{}, err
	}
	calls := make([]runners.Call, len(cases))
	for i, c := range cases {
		calls[i] = c.Call
	}
	ended, err := r.run(ctx, program, s, runners.Request{Calls: calls})
	if err != nil {
		return Verdict{}, err
	}
	reply, problem := replyOf(ended)
	if len(reply.Replies) != len(cases) {
		if problem == "" {
			problem = "the program ended itself and answered no call"
		}
		return Verdict{Total: len(cases), Reason: problem}, nil
	}
	return compare(cases, reply.Replies), nil
}

// compare decides the cases by the replies of the program.
func compare(cases []Case, replies []runners.Reply) Verdict {
	v := Verdict{Total: len(cases)}
	for i, c := range cases {
		why := c.fails(replies[i])
		switch {
		case why == "":
			v.Passed++
		case v.Reason == "":
			v.Reason = fmt.Sprintf("test %d, %s: %s", i+1, c, why)
		}
	}
	if v.Pass = v.Passed == v.Total; v.Pass {
		v.Reason = "passes " + text.Counted(v.Total, "test")
	}
	return v
}

// Limits of what a program returns, of tracebacks, and of reasons.
const (
	maxValue  = 64 << 10
	traceback = 12
	maxReason = 300
)

// run runs the program with a request.
func (r Runner) run(ctx context.Context, program string, s Suite, request runners.Request) (sandbox.Ended, error) {
	request.Arguments, request.Limit, request.Lines = json.RawMessage("{}"), maxValue, traceback
	input, err := json.Marshal(request)
	if err != nil {
		return sandbox.Ended{}, err
	}
	return r.Engine.Run(ctx, sandbox.Job{Language: s.Language, Script: []byte(program), Runner: runners.Of(s.Language),
		Input: input, Limits: s.Limits})
}

// replyOf reads the reply of a program, and says in one line what went wrong with the whole program; "" if nothing did.
func replyOf(ended sandbox.Ended) (reply runners.Reply, problem string) {
	if err := json.Unmarshal(ended.Result, &reply); err != nil {
		reply = runners.Reply{}
	}
	switch {
	case ended.Stop != sandbox.NotStopped:
		problem = "the program was ended by the limit of " + string(ended.Stop)
	case reply.Memory:
		problem = "the program was ended by the limit of memory"
	case reply.Error != "":
		problem = text.Clip(reply.Error, maxReason)
	case ended.Signal != "":
		problem = "the program ended by " + ended.Signal
	case ended.Exit != 0:
		problem = fmt.Sprintf("the program ended with exit code %d", ended.Exit)
	}
	return reply, problem
}

// beside runs the tests after the program, in one script. It passes if the script ends without an exception and
// without ending itself.
func (r Runner) beside(ctx context.Context, program string, s Suite) (Verdict, error) {
	const end = "\ntrue\n"
	last := map[string]string{sandbox.Python: "\nTrue\n", sandbox.JavaScript: end}[s.Language]
	ended, err := r.run(ctx, program+"\n"+s.Text+last, s, runners.Request{})
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Total: 1, Forgeable: true}
	reply, problem := replyOf(ended)
	switch {
	case problem != "":
		v.Reason = problem + failingLine(ended.Stderr)
	case string(reply.Result) != "true":
		v.Reason = "the program ended before the tests did"
	default:
		v.Pass, v.Passed, v.Reason = true, 1, "passes the tests beside it"
	}
	return v, nil
}

// failingLine returns the last line of code in a traceback of Python, for a reason; "" if nothing is found.
func failingLine(stderr []byte) string {
	lines := strings.Split(strings.ToValidUTF8(string(stderr), "\uFFFD"), "\n")
	for i := len(lines) - 1; i > 0; i-- {
		if strings.HasPrefix(lines[i], "    ") && strings.HasPrefix(lines[i-1], "  File ") {
			return ": " + text.Clip(strings.TrimSpace(lines[i]), maxReason)
		}
	}
	return ""
}

// errNoTests means that a file has no tests: every program would pass.
var errNoTests = errors.New("there is no test: every program would pass")
