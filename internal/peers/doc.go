// Package peers tests concur with programs by others:
//
//   - the official clients of OpenAI (for node and Python) and of Anthropic, as clients of concur serve
//   - agents that use these clients or LangGraph, from the folder examples, under concur run
//   - an independent mock of both vendors' endpoints, as the endpoint of concur
//   - ajv, which checks concur's JSON by the schemas in docs
//   - promptfoo and Inspect AI, whose results are made on this machine and imported, and Inspect as the reader
//     of an exported run
//   - the reference servers and the official client of the Model Context Protocol
//   - Debian's MediaWiki, as the wiki that concur searches
//   - a small language model with llama.cpp, as the model of concur
//
// The package has only tests. make test-peers runs those with the build tag peers, and make test-llm the one with
// the tag llm. They need node and the npm registry, Python with pip and PyPI, or apt and Debian's packages; a test
// is skipped if its programs are missing.
//
// testdata/package.json pins the packages that TestPeers installs with npm, and testdata/package-lock.json pins
// their dependencies. testdata/requirements.txt pins OpenAI's client for Python and its dependencies.
// harnesses_test.go pins promptfoo and Inspect AI. testdata/mcp, testdata/llm and each example have their own
// lists of packages.
package peers
