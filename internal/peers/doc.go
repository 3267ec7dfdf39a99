// Package peers holds concur against the programs that others have written: the official
// clients of OpenAI (for node and Python) and of Anthropic against concur serve, an independent
// mock of both vendors' endpoints as the endpoint of concur, Inspect AI as the reader of a run
// that is exported as its log, and Debian's MediaWiki as the wiki that it searches.
//
// It owns tests alone, behind the build tag peers; `make test-peers` runs them. TestPeers needs
// node and the npm registry, its part in Python and TestInspectReads pip and PyPI, TestWiki apt and Debian's
// packages; each is skipped without. testdata/package.json pins what is installed by npm,
// testdata/package-lock.json all that comes with it, testdata/requirements.txt what pip
// brings. It may import any package of ours.
package peers
