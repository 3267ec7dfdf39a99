package strictyaml

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// syntaxError turns an error of the YAML library into a finding with the line
// where it is and, for the usual mistakes, a hint.
//
// The library's line is not usable as it is: errors of its parser (as against its scanner) count from 0, and name the
// beginning of the surrounding block unless that is on the first line, where they name the mistake itself.
func syntaxError(file string, data []byte, err error) *Error {
	_, message := report(err)
	// With a line put in front no block begins on the first line, so the
	// meaning of the reported line no longer depends on the file.
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
	// What is missing at the end is reported one line behind it.
	line = min(line, bytes.Count(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))+1)
	return &Error{File: file, Line: line, Message: message + hint(message, lineAt(data, line))}
}

// fromParser reports the messages of the library's parser; all others come from its scanner.
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

// isBlockError reports the parser errors of blocks, where the block's first line is
// of no help. (For an unclosed bracket it is what one wants to know.)
func isBlockError(message string) bool {
	return message == "did not find expected '-' indicator" || message == "did not find expected key"
}

// lineWithin finds the mistake in the block that begins on a line: read from
// there on, the block begins on the first line.
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

// tabIndents is what the scanner says of a tab in the indentation, with the line of the token before it.
const tabIndents = "found a tab character that violates indentation"

// lineOfTab finds the first line from a line on that is indented with a tab; it returns that line if no line is.
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
		switch _, err := next(documents); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// report takes "yaml: line 3: message" apart; the line is 0 if missing.
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

func hint(message, line string) string {
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
	case strings.HasPrefix(message, "found unexpected end of stream"):
		return " (a quote that begins here is not closed)"
	}
	return ""
}
