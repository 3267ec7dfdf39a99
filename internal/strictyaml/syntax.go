package strictyaml

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// syntaxError turns an error of the YAML library into a finding with its line and, for common mistakes, a hint.
//
// The library's line cannot be used directly: errors of its parser, unlike those of its scanner, count from 0,
// and name the first line of the surrounding block; but in a block on the file's first line they name the line
// of the mistake.
func syntaxError(file string, data []byte, err error) *Error {
	_, message := report(err)
	// With an additional first line no block begins on line 1, so that the reported line always has the same
	// meaning.
	line, shifted := report(parseOnly(append([]byte("\n"), data...)))
	switch {
	case line == 0 || shifted != message:
		return &Error{File: file, Message: message}
	case !fromParser(message):
		line-- // the scanner counts from 1
	case isBlockError(message):
		line = lineWithin(data, line, message)
	}
	if message == tabIndents {
		line = lineOfTab(data, line)
	}
	// A missing part at the end is reported one line after the end.
	line = min(line, bytes.Count(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))+1)
	return &Error{File: file, Line: line, Message: message + explain(message, lineAt(data, line))}
}

// fromParser reports whether a message is from the library's parser; all others are from its scanner.
func fromParser(message string) bool {
	switch message {
	case "did not find expected <document start>",
		"did not find expected node content",
		"did not find expected ',' or ']'",
		"did not find expected ',' or '}'",
		"found undefined tag handle",
		"found duplicate %YAML directive",
		"found duplicate %TAG directive",
		"found incompatible YAML document":
		return true
	}
	return isBlockError(message)
}

// isBlockError reports whether a message is a parser error of a block, for which the block's first line does
// not help. (For an unclosed bracket that line is useful.)
func isBlockError(message string) bool {
	return message == "did not find expected '-' indicator" || message == "did not find expected key"
}

// lineWithin returns the line of the mistake in the block that begins on a line. It reads from this line on, so
// that the block begins on the first line.
func lineWithin(data []byte, block int, message string) int {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if block > len(lines) {
		return block
	}
	line, again := report(parseOnly(bytes.Join(lines[block-1:], nil)))
	if again != message {
		return block
	}
	return block + line
}

// tabIndents is the scanner's message for a tab in the indentation; its line is the line of the token before.
const tabIndents = "found a tab character that violates indentation"

// lineOfTab returns the first line, from the given line on, that is indented with a tab; the given line if no
// line is.
func lineOfTab(data []byte, from int) int {
	for i, line := range bytes.Split(data, []byte("\n")) {
		indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		if i+1 >= from && bytes.ContainsRune(indent, '\t') {
			return i + 1
		}
	}
	return from
}

// parseOnly returns the first syntax error of all documents.
func parseOnly(data []byte) error {
	documents := yaml.NewDecoder(bytes.NewReader(data))
	for {
		switch _, err := nextDocument(documents); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// report splits "yaml: line 3: message"; the line is 0 if missing.
func report(err error) (line int, message string) {
	if err == nil {
		return 0, ""
	}
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, after, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			return n, after
		}
	}
	return 0, message
}

func lineAt(data []byte, line int) string {
	for range line - 1 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return string(first)
}

// explain returns the probable cause of a syntax error, for people who do not know the words of the parser; "" if it is
// not known.
func explain(message, line string) string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	switch {
	case strings.Contains(indent, "\t"):
		return " (the line is indented with a tab; use spaces)"
	case strings.HasPrefix(message, "mapping values are not allowed"):
		return ` (wrong indentation, or text with ": " that needs quotes)`
	case strings.HasPrefix(message, "found character that cannot start any token"):
		return " (text that begins with @, `, % or another sign of YAML needs quotes)"
	case isBlockError(message):
		return " (wrong indentation, or text that needs quotes)"
	case strings.HasSuffix(message, "expected ',' or '}'"):
		return " (within { }, text with one of , ? : # [ ] { } needs quotes; or a brace or quote is not closed)"
	case strings.HasSuffix(message, "expected ',' or ']'"):
		return " (within [ ], text with one of , ? : # [ ] { } needs quotes; or a bracket or quote is not closed)"
	case strings.HasPrefix(message, "found unexpected end of stream"):
		return " (a quote that begins here is not closed)"
	}
	return ""
}
