// Package similarity decides the checks that compare texts by the cosine of their embeddings. The vectors come from a
// model as replies to requests of package embed, so limits, budget, recording and replay are those of a judge.
package similarity
