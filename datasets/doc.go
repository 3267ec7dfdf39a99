// Package datasets owns the questions to agents and the definition of right answers: queries with their gold, the files
// they are read from, the built-in sets, and the corpora that the offline search reads.
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
// A JSONL file has one such query per line as a JSON object, a CSV file one per row, with the fields of the gold
// among the columns ([Load] reads all, [Dataset.Write] writes all). [Conversion] maps the fields of foreign files,
// [Lint] looks for gold that proves little.
//
// query and gold are required. A gold whose outcome is answered holds an answer, keywords or a condition.
//
// Files of others are read too: tables and records of questions and answers under the usual names (package columns),
// with ids by their place, the category all, types that the answers suggest (package propose) and metadata of all that
// is left. [Dataset.Notes] say so. A record with a gold of the form above, or a table with a column type, is one of
// ours: from there on a misspelt name is an error. All errors of a file come at once, with file and line.
//
// The package imports datasets/answer, datasets/columns, datasets/corpus, datasets/propose, datasets/reading,
// datasets/table, internal/filekind, internal/lines, internal/strictyaml and internal/text.
package datasets
