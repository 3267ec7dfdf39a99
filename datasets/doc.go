// Package datasets defines the questions to agents and their right answers: queries with their gold, the files
// with them, the built-in sets, and the corpora for the offline search.
//
// A dataset is a YAML list of queries:
//
//	# one query, with all fields
//	- id: calc-03
//	  category: calculation
//	  query: "What is 1234567 times 7654321?"
//	  gold:
//	    type: integer            # see package answer for the types
//	    answer: "9449772114007"
//	    aliases: []              # other right answers
//	    tolerance: 0             # numbers only: absolute, or "1%"
//	    ordered: false           # also unit_optional, prefix_date, bare_percent
//	    all_of: [keyword, [either, or]]
//	    none_of: [keyword]
//	    condition: "what a judge must find true of the answer"
//	    outcome: answered        # or refused, abstained
//	  max_steps: 12
//	  cluster: olympics          # queries that depend on each other
//	  source: "where the answer can be checked"
//	  tags: [smoke]              # words to choose queries by
//	  history: [{role: user, content: "…"}]  # earlier messages of the conversation
//	  owner: ada                 # who asks
//	  now: "2024-05-03"          # when
//	  meta: {level: easy}        # whatever else is to be kept
//
// A conversation with a scripted person has turns in place of query and gold:
//
//	# a conversation
//	- id: rivers
//	  category: geography
//	  turns:
//	    - {query: "How long is the Danube?", gold: {type: quantity, answer: 2850 km}}
//	    - {query: "And the Volga?", gold: {type: quantity, answer: 3530 km}}
//
// A JSONL file has one such query per line as a JSON object. A CSV file has one per row, and the fields of the
// gold are columns, too. [Load] reads all three forms, and [Dataset.Write] writes them. [Conversion] maps the
// fields of foreign files. [Lint] finds gold that proves little.
//
// A query without turns must have query, and gold or checks. A gold whose outcome is answered must have an
// answer, keywords or a condition.
//
// Files of other programs are read too: tables and records of questions and answers with usual names (package
// columns). The ids of such queries come from their positions in the file, the category is "all", the answers
// suggest the types (package propose), and the remaining fields become metadata. [Dataset.Notes] reports these
// choices. A record with a gold of the form above, or a table with a column type, has concur's own form; there
// a misspelt name is an error. All errors of a file are returned at once, with file and line; a file with more
// than 100,000 records after the first error is not read to its end. [Stream] gives the queries one at a time.
package datasets
