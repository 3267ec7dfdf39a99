package labelling

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

const (
	ctrlC      = 3
	endOfInput = 4 // Ctrl-D
)

// Session asks a person for verdicts on answers of a run.
type Session struct {
	Run      *store.Run
	Author   string
	In       io.Reader
	Out, Err io.Writer // Out gets the result, Err the dialogue with the person
	Screen   document.Screen
	Given    int // number of labels so far

	in    *bufio.Reader
	index *store.Index // index of the run's traces, during Ask
}

// One gives one query's answer a label with a verdict, without a dialogue.
func (l *Session) One(ctx context.Context, records []store.Record, query string, verdict judge.Ruling,
	reason string) error {
	known := make([]string, len(records))
	for i, r := range records {
		known[i] = r.Query
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool { return r.Query != query })
	switch {
	case verdict != judge.Correct && verdict != judge.Incorrect:
		return fmt.Errorf("label %s: %q is not a verdict: use correct or incorrect", query, verdict)
	case len(records) == 0:
		return fmt.Errorf("run %s has no query %q: %s", l.Run.Manifest.Run, query, strictyaml.Suggest(query, known))
	case len(records) > 1:
		return fmt.Errorf("query %s has answers of %d configurations: choose one with --configuration", query,
			len(records))
	case records[0].Consensus.Representative == nil:
		return fmt.Errorf("the traces of query %s do not agree on an answer that could be labelled (%s)", query,
			records[0].Consensus.Method)
	}
	r := records[0]
	label := store.Label{Configuration: r.Configuration, Query: query, Trace: *r.Consensus.Representative,
		Verdict: verdict, Reason: reason, Seen: true}
	if err := l.add(ctx, label); err != nil {
		return err
	}
	_, err := fmt.Fprintf(l.Out, "%s is %s by %s; the verdict was %s (%s)\n", document.Printable(query), verdict,
		document.Printable(l.Author), r.Before().Verdict, document.Printable(r.Before().Reason))
	return err
}

func (l *Session) add(ctx context.Context, label store.Label) error {
	label.Author, label.Time = l.Author, time.Now().UTC()
	if err := l.Run.AddLabel(ctx, label); err != nil {
		return err
	}
	l.Given++
	return nil
}

// Ask shows candidates in order until the person quits or most candidates have been shown; most 0 means no
// limit.
func (l *Session) Ask(ctx context.Context, order []labels.Candidate, most int) error {
	l.in = bufio.NewReader(l.In)
	if f, ok := l.In.(*os.File); ok && term.IsTerminal(int(f.Fd())) { // in raw mode, each key is read at once
		old, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return fmt.Errorf("label: %w", err)
		}
		defer func() { _ = term.Restore(int(f.Fd()), old) }()
	}
	// With an index, a large run is not read as a whole for each answer.
	l.index = store.NewIndex()
	if err := l.index.UpdateTraces(ctx, l.Run); err != nil {
		return err
	}
	all := len(order)
	order = slices.DeleteFunc(order, func(c labels.Candidate) bool { return c.Record.Label != nil })
	l.say("%s %s not labelled yet. y right, n wrong, s cannot say, ? all keys\n",
		text.CountedOf(len(order), all, "answer"), text.Verb(len(order), "is", "are"))
	if most > 0 {
		order = order[:min(most, len(order))]
	}
	for i, step := 0, 1; step != 0 && i < len(order); i = max(0, i+step) {
		var label store.Label
		var err error
		if label, step, err = l.ask(order[i], i+1, len(order)); err == nil && step > 0 {
			err = l.add(ctx, label)
		}
		if err != nil {
			return err
		}
	}
	l.say("labels given: %d. See `concur report %s`.\n", l.Given, store.ShellQuoted(l.Run.Dir))
	return nil
}

// say writes lines. A terminal in raw mode needs a carriage return before each line break.
func (l *Session) say(format string, args ...any) {
	fmt.Fprint(l.Err, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\r\n"))
}

// ask shows a candidate and reads keys until it is labelled. step is 1 to go to the next candidate, -1 to the
// previous one, 0 to quit.
func (l *Session) ask(c labels.Candidate, n, of int) (label store.Label, step int, err error) {
	r := c.Record
	label = store.Label{Configuration: r.Configuration, Query: r.Query, Trace: c.Answer.Trace, Draw: &c.Draw}
	id := trace.ID{Agent: r.Agent, Query: r.Query, Trace: c.Answer.Trace}
	events, err := l.index.ReadEvents(l.Run, id)
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
		case 'q', ctrlC, endOfInput:
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
			if err := transcript.Write(&b, id, events, false); err != nil {
				return label, 0, err
			}
			l.say("%s", b.String())
		default:
			l.say("y right · n wrong · s cannot say · r reason · t the whole trace · v verdict · u back · q quit\n")
		}
	}
}

// show prints a candidate so that a person can judge it; it does not show the verdict.
func (l *Session) show(c labels.Candidate, events []trace.Event, n, of int) {
	r, name := c.Record, ""
	if len(l.Run.Manifest.Configurations) > 1 {
		name = " · " + document.Printable(r.Configuration)
	}
	l.say("\n── %d of %d · %s%s\n", n, of, document.Printable(r.Query), name)
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
			for _, part := range messages(r, end) {
				lines := strings.Split(strings.TrimSpace(l.fold(part)), "\n")
				if len(lines) > 8 {
					lines = append(lines[:8], "[t: the whole trace]")
				}
				l.say("\n%s\n", strings.Join(lines, "\n"))
			}
		}
	}
}

// messages returns the final message of a trace. For a conversation, it returns the messages of all turns, each
// below the words of the person.
func messages(r store.Record, end trace.Conclusion) (out []string) {
	if len(end.Turns) == 0 || len(end.Turns) > len(r.Turns) {
		return []string{end.Message}
	}
	for n, turn := range end.Turns {
		out = append(out, fmt.Sprintf("%d. %s\n%s", n+1, r.Turns[n].Question, turn.Message))
	}
	return out
}

// fold breaks text from other sources at the width of the screen, and removes control characters.
func (l *Session) fold(text string) string { return l.Screen.Fold(document.PrintableLines(text)) }

// key returns the next key; Ctrl-D at the end of the input. It ignores line ends, because some input comes line
// by line.
func (l *Session) key() (key rune, err error) {
	for err == nil && (key == 0 || key == '\n' || key == '\r') {
		key, _, err = l.in.ReadRune()
	}
	if errors.Is(err, io.EOF) {
		return endOfInput, nil
	}
	return key, err
}

// line reads keys to the end of the line, and shows them.
func (l *Session) line() (string, error) {
	var text []rune
	for {
		r, _, err := l.in.ReadRune()
		switch {
		case errors.Is(err, io.EOF) || r == '\r' || r == '\n':
			return string(text), nil
		case err != nil:
			return "", err
		case r == 127 && len(text) > 0: // the backspace key
			text = text[:len(text)-1]
			l.say("\b \b")
		case r >= ' ' && r != 127:
			text = append(text, r)
			l.say("%c", r)
		}
	}
}
