// Package peers tests concur with programs by others:
//
//   - the official clients of OpenAI (for node and Python) and of Anthropic, as clients of concur serve and as
//     agents under concur run
//   - an independent mock of both vendors' endpoints, as the endpoint of concur
//   - promptfoo and Inspect AI, whose results are made on this machine and imported, and Inspect as the reader
//     of an exported run
//   - Debian's MediaWiki, as the wiki that concur searches
//
// It has only tests, with the build tag peers; `make test-peers` runs them. They need node and the npm
// registry, Python with pip and PyPI, or apt and Debian's packages; a test is skipped if its programs are
// missing.
//
// testdata/package.json pins the packages that TestPeers installs with npm, and testdata/package-lock.json pins
// their dependencies. testdata/requirements.txt pins the packages of pip. The agents are those of examples,
// each with its own list of packages.
package peers
