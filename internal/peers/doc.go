// Package peers holds concur against the programs that others have written: the official
// clients of OpenAI and Anthropic against concur serve, and an independent mock of both
// vendors' endpoints as the endpoint of concur.
//
// It owns tests alone, behind the build tag peers; `make test-peers` runs them. They need
// node and the npm registry and are skipped without. testdata/package.json pins what is
// installed, testdata/package-lock.json all that comes with it. It may import any package
// of ours.
package peers
