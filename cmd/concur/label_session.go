package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// session shows candidates in their order until the person quits, or nothing is left.
func (l *labeller) session(ctx *cli.Context, order []labels.Candidate) error {
	if f, ok := l.console.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) { // which gives each key at once when raw
		old, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return fmt.Errorf("label: %w", err)
		}
		defer func() { _ = term.Restore(int(f.Fd()), old) }()
	}
	// An index, so that a large run is not read whole for each answer.
	l.index = l.run.Index()
	if _, err := l.index.UpdateTraces(l.ctx, l.run); err != nil {
		return err
	}
	all := len(order)
	order = slices.DeleteFunc(order, func(c labels.Candidate) bool { return c.Record.Label != nil })
	l.say("%d of %d answers are not labelled yet. y right, n wrong, s cannot say, ? all keys\n", len(order), all)
	if most := ctx.Int("limit"); most > 0 {
		order = order[:min(most, len(order))]
	}
	for i := 0; i < len(order); {
		label, step, err := l.ask(order[i], i+1, len(order))
		if err == nil && step > 0 {
			err = l.add(label)
		}
		if err != nil {
			return err
		}
		if step == 0 {
			break
		}
		i = max(0, i+step)
	}
	l.say("labels given: %d. See `concur report %s`.\n", l.given, store.ShellQuoted(l.run.Dir))
	return nil
}

const endOfInput = 4 // Ctrl-D

// say writes lines for a terminal that does not begin a line at its left by itself.
func (l *labeller) say(format string, args ...any) {
	fmt.Fprint(l.err, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\r\n"))
}

// ask shows one candidate and reads keys until it is labelled. step is 1 for the next, -1 for
// the last one again, 0 to quit.
func (l *labeller) ask(c labels.Candidate, n, of int) (label store.Label, step int, err error) {
	r := c.Record
	label = store.Label{Configuration: r.Configuration, Query: r.Query, Trace: c.Answer.Trace, Draw: &c.Draw}
	id := trace.ID{Agent: r.Agent, Query: r.Query, Trace: c.Answer.Trace}
	events, err := l.index.ReadEvents(l.run, id)
	if err != nil {
		return label, 0, err
	}
	l.show(c, events, n, of)
	for {
		l.say("> ")
		key, err := l.key()
		if err != nil {
			return label, 0, err
		}
		l.say("%c\n", key)
		switch key {
		case 'y', 'n', 's':
			label.Verdict = map[rune]judge.Ruling{'y': judge.Correct, 'n': judge.Incorrect, 's': judge.Unscored}[key]
			return label, 1, nil
		case 'q', 3, endOfInput: // 3 is Ctrl-C
			return label, 0, nil
		case 'u':
			return label, -1, nil
		case 'r':
			l.say("reason: ")
			if label.Reason, err = l.line(); err != nil {
				return label, 0, err
			}
			l.say("\n")
		case 'v':
			label.Seen = true
			l.say("%s", l.fold(fmt.Sprintf("%s by %s: %s", r.Before().Verdict, r.Before().By, r.Before().Reason)))
		case 't':
			var b strings.Builder
			if err := reports.Transcript(&b, id, events, false); err != nil {
				return label, 0, err
			}
			l.say("%s", b.String())
		default:
			l.say("y right · n wrong · s cannot say · r reason · t the whole trace · v verdict · u back · q quit\n")
		}
	}
}

// show prints what there is to judge, without the verdict.
func (l *labeller) show(c labels.Candidate, events []trace.Event, n, of int) {
	r := c.Record
	name := ""
	if len(l.run.Manifest.Configurations) > 1 {
		name = " · " + reports.Printable(r.Configuration)
	}
	l.say("\n── %d of %d · %s%s\n", n, of, reports.Printable(r.Query), name)
	said := string(c.Answer.Outcome)
	if a := c.Answer.Answer; a != nil {
		said = *a
	}
	for _, part := range [][2]string{{"question  ", r.Question}, {"expected  ", r.Expected}, {"answer    ", said}} {
		if part[1] != "" {
			l.say("%s", l.fold(part[0]+strings.TrimSpace(part[1])))
		}
	}
	for _, e := range events {
		if end, ok := e.Body.(trace.Conclusion); ok && e.Path == "" {
			lines := strings.Split(strings.TrimSpace(l.fold(end.Message)), "\n")
			if len(lines) > 8 {
				lines = append(lines[:8], "[t: the whole trace]")
			}
			l.say("\n%s\n", strings.Join(lines, "\n"))
		}
	}
}

// fold breaks a text of somebody else's at the screen's width; nothing in it steers the terminal.
func (l *labeller) fold(text string) string { return l.screen.Fold(printableLines(text)) }

// key is the next key, Ctrl-D at the end of the input. It leaves out the ends of lines, so that
// input may also come line by line.
func (l *labeller) key() (key rune, err error) {
	for err == nil && (key == 0 || key == '\n' || key == '\r') {
		key, _, err = l.in.ReadRune()
	}
	if errors.Is(err, io.EOF) {
		return endOfInput, nil
	}
	return key, err
}

// line reads up to the end of a line, showing what is typed.
func (l *labeller) line() (string, error) {
	var text []rune
	for {
		r, _, err := l.in.ReadRune()
		switch {
		case errors.Is(err, io.EOF) || r == '\r' || r == '\n':
			return string(text), nil
		case err != nil:
			return "", err
		case r == 127 && len(text) > 0: // backspace
			text = text[:len(text)-1]
			l.say("\b \b")
		case r >= ' ' && r != 127:
			text = append(text, r)
			l.say("%c", r)
		}
	}
}
