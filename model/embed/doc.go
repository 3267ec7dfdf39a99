// Package embed writes a request for embeddings as a model.Request and the vectors as its reply. Limits,
// budgets, recordings and replays then work for embeddings as they do for chats.
package embed
