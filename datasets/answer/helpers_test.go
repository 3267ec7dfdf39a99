package answer_test

import "github.com/seed-5817661a/concur/datasets/answer"

// extract is [answer.Extract] without the reason.
func extract(message, question string, t answer.Type) answer.Final {
	f := answer.Extract(message, question, t)
	f.Reason = ""
	return f
}
