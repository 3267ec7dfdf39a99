// Package embed makes a request for embeddings a request to a model, and its vectors a reply, so that limits, budgets,
// recordings and replays serve embeddings as they serve chats.
package embed
