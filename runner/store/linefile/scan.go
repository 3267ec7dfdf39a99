package linefile

import (
	"bytes"
	"unicode/utf8"
)

// Fields calls each with every key and value of a JSON object, as long as each returns true. The object must
// have no spaces between its parts, as concur writes it; for another form, Fields returns false. It does not
// check values.
func Fields(object []byte, each func(key, value []byte) bool) bool {
	if len(object) < 2 || object[0] != '{' {
		return false
	}
	for i := 1; i < len(object) && object[i] == '"'; i++ {
		end := stringEnd(object, i+1)
		if end < 0 || end+2 >= len(object) || object[end+1] != ':' {
			return false
		}
		key, from := object[i+1:end], end+2
		if i = valueEnd(object, from); i <= from || i >= len(object) || bytes.IndexByte(key, '\\') >= 0 {
			return false
		}
		if !each(key, object[from:i]) || object[i] == '}' {
			return true
		}
		if object[i] != ',' {
			return false
		}
	}
	return len(object) == 2 && object[1] == '}'
}

// Elements calls each with every element of a JSON array, under the conditions of Fields.
func Elements(array []byte, each func(value []byte) bool) bool {
	if len(array) < 2 || array[0] != '[' {
		return false
	}
	if array[1] == ']' {
		return true
	}
	for i := 1; i < len(array); i++ {
		from := i
		if i = valueEnd(array, from); i <= from || i >= len(array) {
			return false
		}
		if !each(array[from:i]) || array[i] == ']' {
			return true
		}
		if array[i] != ',' {
			return false
		}
	}
	return false
}

// valueEnd returns the index after a value; -1 if the value does not end.
func valueEnd(text []byte, from int) int {
	depth := 0
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = stringEnd(text, i+1); i < 0 {
				return -1
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// ReadText reads a string without escapes. If the string is equal to known, it is not copied.
func ReadText(value []byte, into *string, known string) bool {
	if len(value) < 2 || value[0] != '"' || bytes.IndexByte(value, '\\') >= 0 || !utf8.Valid(value) {
		return false
	}
	if value = value[1 : len(value)-1]; string(value) == known {
		*into = known
	} else {
		*into = string(value)
	}
	return true
}
