// Package asking is the mechanics of putting a closed question to a language model: data
// fenced so that nothing in it passes for the prompt, one retry, a reply that is read in
// one way or not at all, and answers that are asked for once.
//
// It knows neither verifiers nor judges, which own their prompts. It imports
// runner/model.
package asking
