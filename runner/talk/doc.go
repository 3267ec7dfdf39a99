// Package talk holds conversations with a scripted person (datasets.Query.Turns). Run asks the turns of one
// trace, one after another. Of returns one turn of the K traces as a query of its own, so that the turn can be
// decided and judged. Join makes the record of the conversation from the records of its turns.
package talk
