// Package plan sends what a run needs to the workers of a hub, and opens it there: the manifest with the effective
// configuration, the dataset, the corpus, and the other files that the agents read.
//
// Keys never travel: a configuration has none, and a worker reads its own from its environment. The files are named by
// their hashes, so a damaged one is refused.
package plan
