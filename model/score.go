package model

import "context"

// Scoring is the purpose of a request for log-probabilities.
const Scoring Purpose = "scoring"

// ScoreRequest asks how likely a text is behind another text.
type ScoreRequest struct {
	Identity Identity
	// Prefix is the text before Text; it is read but not scored.
	Prefix string
	// Text is the text to score. It must not be empty.
	Text string
}

// TokenScore is a token of a scored text with its log-probability.
type TokenScore struct {
	Token string
	// Offset is where the token begins, in bytes from the beginning of ScoreRequest.Text. It is negative if the
	// token begins in the prefix, which happens because a model may join the end of the prefix and the beginning
	// of the text in one token.
	Offset int
	// LogProb is the natural logarithm of the token's probability, given all text before it: finite and at most 0.
	LogProb float64
}

// Scores are the tokens of a ScoreRequest's Text, in order and without gaps: together with what the first token has of
// the prefix, they are the Text.
type Scores struct {
	Tokens []TokenScore
	Usage  Usage
	// Model is the model's name in the provider's reply; it may differ from the requested name.
	Model string
}

// Scorer gives the log-probabilities of texts. Few models can do this: servers of open models and endpoints of text
// completions, but no hosted chat model. Implementations are safe for concurrent use, and return a *Error for every
// failure. A reply whose tokens do not join to the text, or whose log-probabilities are missing, positive or not
// finite, is a failure.
type Scorer interface {
	// Score sends one request and returns the tokens of its Text. It returns soon after ctx is done.
	Score(ctx context.Context, req ScoreRequest) (Scores, error)
}
