// Package peers holds concur against the programs that others have written: the official
// clients of OpenAI and Anthropic against concur serve, an independent mock of both vendors'
// endpoints as the endpoint of concur, and Debian's MediaWiki as the wiki that it searches.
//
// It owns tests alone, behind the build tag peers; `make test-peers` runs them. TestPeers needs
// node and the npm registry, TestWiki apt and Debian's packages; each is skipped without.
// testdata/package.json pins what is installed, testdata/package-lock.json all that comes with
// it. It may import any package of ours.
package peers
