// Package embed represents a request for embeddings as a model.Request, and the vectors as a reply. So
// limits, budgets, recordings and replays work for embeddings in the same way as for chats.
package embed
