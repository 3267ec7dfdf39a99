// Package similarity decides the checks that compare texts by the cosine of their embeddings. The vectors are
// replies of a model to requests of package embed. So these requests have the same limits, budget, recording
// and replay as requests of a judge.
package similarity
