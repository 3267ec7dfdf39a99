package decisions_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/score/decisions"
	"github.com/seed-5817661a/concur/datasets/answer"
)

func Example() {
	questions := strings.NewReader(`{"answers": ["1,771", "1771.0", "1770"], "type": "integer", "gold": ["1771"]}`)
	var out strings.Builder
	if err := decisions.Answer(questions, &out, ""); err != nil {
		fmt.Println(err)
		return
	}
	var reply decisions.Reply
	if err := json.Unmarshal([]byte(out.String()), &reply); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Decision.Method, *reply.Decision.Answer)
	for _, s := range reply.Scores {
		fmt.Println(s.Right)
	}
	// Output:
	// majority 1,771
	// true
	// true
	// false
}

func TestAnswer(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"all agree":       {`{"answers": ["30 days", "30 days"], "type": "quantity"}`, `"method":"exact"`},
		"a tie":           {`{"answers": ["1", "2"], "type": "integer"}`, `"method":"tie","answer":"1"`},
		"no vote":         {`{"answers": ["", ""]}`, `"outcome":"no_answer"`},
		"type of all":     {`{"answers": ["1.50"], "gold": ["1.5"]}`, `"scores":[{"right":true`},
		"alias":           {`{"answers": ["Escaut"], "gold": ["Scheldt", "Escaut"], "type": "entity"}`, `"right":true,"reason":"equal to alias`},
		"empty and wrong": {`{"answers": [""], "gold": ["1"]}`, `"right":false,"reason":"there is no answer"`},
		"no answers":      {`{"answers": []}`, `"error":"there are 0 answers: give 1 to 256"`},
		"too many":        {`{"answers": ["1"` + strings.Repeat(`,"1"`, 256) + `]}`, `"error":"there are 257 answers`},
		"unknown type":    {`{"answers": ["1"], "type": "roman"}`, `"error":"there is no answer type \"roman\": choose one of`},
		"wrong gold":      {`{"answers": ["1"], "type": "integer", "gold": ["x"]}`, `"error":"the gold is not of the type integer`},
		"no JSON":         {`answers`, `"error":"invalid character`},
		"unknown field":   {`{"answer": ["1"]}`, `unknown field`},
		"two questions":   {`{"answers": ["1"]} {"answers": ["1"]}`, `"error":"there is text after the question`},
		"too long":        {`{"answers": ["` + strings.Repeat("x", decisions.MaxLine) + `"]}`, `"error":"the question has more than`},
		"Windows":         {"{\"answers\": [\"1\"]}\r", `"method":"single"`},
	} {
		var out strings.Builder
		in := c.in + "\n\n" + `{"answers": ["7"], "type": "integer"}` // an error does not end the conversation
		if err := decisions.Answer(strings.NewReader(in), &out, answer.Decimal); err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(got) != 2 || !strings.Contains(got[0], c.want) || !strings.Contains(got[1], `"answer":"7"`) {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestOneByOne: a reply comes before the next question is sent.
func TestOneByOne(t *testing.T) {
	questions, ask := io.Pipe()
	replies, reply := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- decisions.Answer(questions, reply, answer.Integer) }()
	in := bufio.NewReader(replies)
	for _, word := range []string{"1", "2", "3"} {
		if _, err := fmt.Fprintf(ask, "{\"answers\": [%q]}\n", word); err != nil {
			t.Fatal(err)
		}
		if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, `"answer":"`+word+`"`) {
			t.Fatalf("%s, %v", line, err)
		}
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, os.ErrClosed }
func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestBrokenStreams(t *testing.T) {
	if err := decisions.Answer(broken{}, io.Discard, ""); err == nil {
		t.Error("the input cannot be read, and there is no error")
	}
	if err := decisions.Answer(strings.NewReader(`{"answers": ["1"]}`), broken{}, ""); err == nil {
		t.Error("the output cannot be written, and there is no error")
	}
}
