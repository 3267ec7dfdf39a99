// Package peers tests concur with programs that others have written: the official clients of OpenAI (for node and
// Python) and of Anthropic against concur serve, and as agents under concur run; an independent mock of both vendors'
// endpoints as the endpoint of concur; the results of promptfoo and Inspect AI, made on this machine and imported,
// and Inspect as the reader of an exported run; and Debian's MediaWiki as the wiki that it searches.
//
// It owns tests alone, behind the build tag peers; `make test-peers` runs them. They need node and the npm
// registry, Python with pip and PyPI, or apt and Debian's packages; each is skipped without. testdata/package.json
// pins what TestPeers installs by npm, testdata/package-lock.json all that comes with it, testdata/requirements.txt
// what pip brings. The agents are those of examples, each with its own list of packages.
package peers
