// Package scoring gives requests for log-probabilities the form of a model's exchanges. So the decorators of models
// also limit, record and replay them: Model turns a scorer into a model, decorators wrap the model, and Scorer turns
// the result into a scorer again.
//
// It also has the rules for the tokens of every scorer (Check), and a test of a scorer with a known text (Try).
package scoring
