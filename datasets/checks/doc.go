// Package checks defines the checks of a query: conditions on the final message, the answer or the figures of
// a trace, as people write them. A list in YAML or JSON has one check per entry:
//
//	checks:
//	  - contains: Paris                       # also icontains, starts_with, equals
//	  - contains_any: [Paris, the capital]    # also contains_all, icontains_any, icontains_all
//	  - not_regex: "(?i)i am not sure"        # not_ before a check of a text
//	  - {regex: "^[0-9]+$", on: answer}       # on: answer reads the short answer, not the message
//	  - is_json: {type: object}               # a JSON Schema, or true
//	  - json: ".total > 3"                    # an expression of jq
//	  - {similar: "the capital is Paris", threshold: 0.8}
//	  - max_seconds: 20                       # also max_usd, max_tokens
//	  - exec: [python3, check.py]             # a program
//	  - any: [{contains: Paris}, {contains: Lutetia}]
//	  - {all: [{contains: Paris, weight: 3}, {contains: Seine}], threshold: 0.7}
//
// This package reads and validates them. Package judge/checks decides whether they hold.
package checks
