package dialect

import (
	"regexp"
	"strconv"
	"strings"
)

// Exchange is one numbered turn of a recorded ReAct transcript.
type Exchange struct {
	Number      int
	Rejected    string // a first reply that the recorder could not read and asked for again
	Reply       string // as Parse reads it
	Observation string // what the environment answered, or "" at the end
}

// turnHead begins a numbered turn; observed begins what the environment answered.
var (
	turnHead = regexp.MustCompile(`(?m)^Thought ([0-9]{1,9}):`)
	observed = regexp.MustCompile(`(?m)^Observation ([0-9]{1,9}):`)
)

// rejected is what the published ReAct program prints in front of a reply without an
// action, which it then asks for once more.
const rejected = "\nohh..."

// ReadTranscript splits a transcript of numbered turns, as the program of Yao et al. 2022
// (arXiv 2210.03629) writes it. A turn runs from its Thought to the next; text in front of
// the first is left out.
func ReadTranscript(text string) []Exchange {
	heads := turnHead.FindAllStringSubmatchIndex(text, -1)
	out := make([]Exchange, len(heads))
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		n, err := strconv.Atoi(text[h[2]:h[3]])
		if err != nil { // nine digits always fit
			continue
		}
		out[i].Number = n
		body := text[h[0]:end]
		if at := strings.LastIndex(body, rejected); at >= 0 && i+1 < len(heads) {
			out[i+1].Rejected = strings.TrimSpace(body[at+len(rejected):])
			body = body[:at]
		}
		out[i].Reply = strings.TrimSpace(body)
		if o := observed.FindStringIndex(body); o != nil {
			out[i].Reply = strings.TrimSpace(body[:o[0]])
			out[i].Observation = strings.TrimSpace(body[o[1]:])
		}
	}
	return out
}
