// Package pick reads the body of a reply: JSON and text as they are, and parts of XML and HTML that XPath expressions
// name. The result is a JSON value. All work on a reply is bounded.
package pick
