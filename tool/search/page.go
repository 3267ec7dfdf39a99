package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// OneLine returns a server's text as one line of valid UTF-8 with single spaces and without control
// characters.
func OneLine(s string) string {
	if isLine(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// isLine reports whether a text is a line as OneLine makes it, of ASCII alone.
func isLine(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return s == "" || before != ' '
}

// MaxLink is the maximum length of a cited link, in bytes.
const MaxLink = 2000

// HostOf returns the host of a link that can be cited, which is a web address of at most MaxLink bytes
// without a user name. It returns "" for any other text.
func HostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil || len(link) > MaxLink || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.Host
}

// IsBase reports whether an address can be the base of a backend's requests, which are made by appending to
// it.
func IsBase(address string) bool {
	u, err := url.Parse(address)
	return err == nil && HostOf(address) != "" && u.RawQuery == "" && u.Fragment == ""
}

// DecodeJSON decodes a server's JSON. Unlike those of encoding/json, its errors do not quote the input.
func DecodeJSON(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	wrong, _ := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case err == nil:
		return nil
	case wrong == nil:
		return errors.New("it is not JSON, or it is incomplete")
	case wrong.Field == "":
		return errors.New("it is not the documented JSON object")
	}
	return fmt.Errorf("%s is not of the documented type", text.Head(OneLine(wrong.Field), 100))
}
