package decisions

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/lines"
)

// Limits of a question.
const (
	MaxLine    = 1 << 20 // bytes
	MaxAnswers = 256
)

// Question is one line of the input.
type Question struct {
	// Answers are the answers to one query, in the order of their traces; an empty text does not vote.
	Answers []string `json:"answers"`
	// Type is the type by which answers are compared (docs/datasets.md); "" means the type that Answer was given.
	Type answer.Type `json:"type"`
	// Gold has the right answers. The first is the gold, and the others are its aliases. If it is empty,
	// answers are not compared with a gold.
	Gold []string `json:"gold"`
}

// Reply is one line of the output.
type Reply struct {
	// Decision is the vote of the answers, by the rules of a run: docs/method.md §3.2. Nil if the question has an error.
	Decision *consensus.Decision `json:"decision"`
	// Scores compare each answer with the gold; empty without a gold.
	Scores []Score `json:"scores"`
	// Error says why the question could not be answered; "" otherwise.
	Error string `json:"error"`
}

// Score is the result for one answer.
type Score struct {
	Right  bool   `json:"right"`
	Reason string `json:"reason"` // why it is right or wrong, in a few words
}

// Decide answers a question.
func Decide(q Question) (Reply, error) {
	if len(q.Answers) == 0 || len(q.Answers) > MaxAnswers {
		return Reply{}, fmt.Errorf("there are %d answers: give 1 to %d", len(q.Answers), MaxAnswers)
	}
	decision, err := consensus.Vote(q.Answers, q.Type)
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{Decision: &decision, Scores: []Score{}}
	if len(q.Gold) == 0 {
		return reply, nil
	}
	for _, gold := range q.Gold {
		if _, err := answer.Normalize(gold, q.Type, answer.Options{}); err != nil {
			return Reply{}, fmt.Errorf("the gold is not of the type %s: %w", q.Type, err)
		}
	}
	for _, given := range q.Answers {
		s := Score{Reason: "there is no answer"}
		if given != "" {
			s.Right, s.Reason = answer.Match(given, q.Gold[0], q.Type, q.Gold[1:], answer.Tolerance{}, answer.Options{})
		}
		reply.Scores = append(reply.Scores, s)
	}
	return reply, nil
}

// Answer reads questions until the end of in, and writes each reply before it reads the next question. A question
// without a type has the type t, or text. A question with a mistake gets a reply with an error, and does not end the
// conversation. It returns an error if in cannot be read, or out cannot be written.
func Answer(in io.Reader, out io.Writer, t answer.Type) error {
	r := bufio.NewReader(in)
	for {
		line, err := readLine(r)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read a question: %w", err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			reply, wrong := read(line, cmp.Or(t, answer.Text))
			if wrong != nil {
				reply = Reply{Scores: []Score{}, Error: wrong.Error()}
			}
			raw, failed := lines.Encode(reply)
			if failed == nil {
				_, failed = out.Write(append(raw, '\n'))
			}
			if failed != nil {
				return fmt.Errorf("write a decision: %w", failed)
			}
		}
		if err != nil {
			return nil
		}
	}
}

// readLine returns the next line, with at most MaxLine+1 of its bytes. The error is that of the reader.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if room := MaxLine + 1 - len(line); room > 0 {
			line = append(line, part[:min(room, len(part))]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// read answers the question of a line.
func read(line []byte, t answer.Type) (Reply, error) {
	if len(line) > MaxLine {
		return Reply{}, fmt.Errorf("the question has more than %d bytes", MaxLine)
	}
	var q Question
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&q); err != nil {
		return Reply{}, fmt.Errorf(`%w: write {"answers": ["…"], "type": "…", "gold": ["…"]}`, err)
	}
	if decoder.InputOffset() < int64(len(bytes.TrimRight(line, " \t\r\n"))) {
		return Reply{}, errors.New("there is text after the question: write one question per line")
	}
	q.Type = cmp.Or(q.Type, t)
	if !slices.Contains(answer.Types(), q.Type) {
		return Reply{}, fmt.Errorf("there is no answer type %q: choose one of %v", q.Type, answer.Types())
	}
	return Decide(q)
}
