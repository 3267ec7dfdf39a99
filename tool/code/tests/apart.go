package tests

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/runners"
	"github.com/seed-5817661a/concur/internal/text"
)

// ErrForm means that tests that are a program cannot run in this language or sandbox.
var ErrForm = errors.New("tests that are a program need python and the sandbox bwrap: write lines of JSON, as " +
	`{"call": "f", "args": [1], "want": 2}`)

// maxLine is the longest line of a conversation in bytes.
const maxLine = 1 << 20

// line is a line that a runner writes: a reply, a call of the tests, or their verdict.
type line struct {
	runners.Reply
	runners.Call
	Verdict *struct {
		Passed int    `json:"passed"`
		Total  int    `json:"total"`
		Reason string `json:"reason"`
	} `json:"verdict"`
}

// process is a job in conversation.
type process struct {
	ends     chan *conversation // gets the conversation when the job has started
	finished chan struct{}      // closed to end the conversation
	finish   func()             // closes finished, once
	done     chan struct{}      // closed when the job has ended
	ended    sandbox.Ended
	err      error
	cancel   func() // kills the job
	*conversation
}

type conversation struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// start runs a job, and sends the request.
func (r Runner) start(ctx context.Context, job sandbox.Job, request runners.Request) (*process, error) {
	p := &process{ends: make(chan *conversation, 1), finished: make(chan struct{}), done: make(chan struct{})}
	p.finish = sync.OnceFunc(func() { close(p.finished) })
	ctx, p.cancel = context.WithCancel(ctx)
	job.Talk = func(in io.WriteCloser, out io.Reader) {
		p.ends <- &conversation{in, bufio.NewReader(out)}
		<-p.finished
		_ = in.Close() // the runner then ends
	}
	go func() {
		p.ended, p.err = r.Engine.Run(ctx, job)
		close(p.done)
	}()
	select {
	case p.conversation = <-p.ends:
	case <-p.done:
		return p, p.err
	}
	request.Arguments, request.Limit, request.Lines = json.RawMessage("{}"), maxValue, traceback
	return p, p.write(request)
}

// end kills the job and waits for it.
func (p *process) end() {
	p.finish()
	p.cancel()
	<-p.done
}

// write sends a value as one line. An error of the pipe means that the job ends, which read reports.
func (p *process) write(value any) error {
	raw, err := json.Marshal(value)
	if err == nil && p.conversation != nil {
		_, _ = p.in.Write(append(raw, '\n'))
	}
	return err
}

// errUnreadable means that a job wrote to its descriptor 3 what its runner does not write.
var errUnreadable = errors.New("the program wrote to the descriptor of its results")

// read reads a line. After an error the conversation has ended.
func (p *process) read() (l line, err error) {
	defer func() {
		if err != nil {
			p.finish()
		}
	}()
	var raw []byte
	for {
		part, err := p.out.ReadSlice('\n')
		raw = append(raw, part...)
		switch {
		case len(raw) > maxLine || err == nil && json.Unmarshal(bytes.TrimSpace(raw), &l) != nil:
			return line{}, errUnreadable
		case err == nil:
			return l, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			if len(raw) > 0 && json.Unmarshal(raw, &l) == nil { // the last line of a program that fails
				return l, nil
			}
			return line{}, io.EOF
		}
	}
}

// apart runs tests that are a program, in a sandbox of their own. Their calls go to the sandbox of the program.
func (r Runner) apart(ctx context.Context, program string, s Suite) (Verdict, error) {
	if err := s.RunsIn(r.Engine); err != nil {
		return Verdict{}, err
	}
	limits := s.Limits.Or(sandbox.Defaults())
	code, err := r.start(ctx, sandbox.Job{Language: s.Language, Script: []byte(program), Runner: runners.Python(),
		Limits: limits}, runners.Request{Serve: true})
	defer code.end()
	if err != nil {
		return Verdict{}, err
	}
	if first, err := code.read(); err != nil || !first.Ready {
		return Verdict{Total: 1, Reason: code.problem(first, err)}, ctx.Err()
	}
	limits.Time *= 2 // the program meets its limit first
	tests, err := r.start(ctx, sandbox.Job{Language: s.Language, Script: []byte(s.Text), Runner: runners.Tests(),
		Limits: limits}, runners.Request{})
	defer tests.end()
	if err != nil {
		return Verdict{}, err
	}
	return converse(ctx, code, tests)
}

// converse passes calls of the tests to the program, and its replies back, until the tests have a verdict.
func converse(ctx context.Context, code, tests *process) (Verdict, error) {
	lost := "" // why the program answers no more
	for {
		said, err := tests.read()
		switch {
		case err != nil:
			<-tests.done
			return Verdict{}, cmp.Or(ctx.Err(), tests.err, fmt.Errorf("the tests ended without a verdict: %s",
				text.Clip(strings.TrimSpace(string(tests.ended.Stderr)), maxReason)))
		case said.Verdict != nil && said.Verdict.Total == 0:
			return Verdict{}, errNoTests
		case said.Verdict != nil:
			v := Verdict{Passed: said.Verdict.Passed, Total: said.Verdict.Total,
				Reason: text.Clip(said.Verdict.Reason, 2*maxReason)}
			if v.Pass = v.Passed == v.Total; v.Pass {
				v.Reason = "passes " + text.Counted(v.Total, "test")
			}
			return v, ctx.Err()
		}
		reply := runners.Reply{Error: lost}
		if lost == "" {
			if reply, err = code.ask(said.Call); err != nil {
				lost = code.problem(line{}, err)
				reply = runners.Reply{Error: lost}
			}
		}
		if err := tests.write(reply); err != nil {
			return Verdict{}, err
		}
	}
}

// ask makes a call.
func (p *process) ask(call runners.Call) (runners.Reply, error) {
	if err := p.write(call); err != nil {
		return runners.Reply{}, err
	}
	answer, err := p.read()
	if err == nil && answer.Reply.Error == "" && len(answer.Result) == 0 {
		return runners.Reply{}, errUnreadable
	}
	return answer.Reply, err
}

// problem says why a program does not answer. last is the line that it wrote instead, err that of reading it.
func (p *process) problem(last line, err error) string {
	switch {
	case err == nil && last.Error != "":
		return text.Clip(last.Error, maxReason)
	case err == nil || errors.Is(err, errUnreadable):
		return errUnreadable.Error()
	}
	<-p.done
	if _, problem := replyOf(p.ended); problem != "" {
		return problem
	}
	return "the program ended itself"
}
