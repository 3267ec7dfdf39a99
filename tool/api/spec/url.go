package spec

import (
	"errors"
	"net/url"
	"strings"
)

// CheckURL returns an error unless an address is of the form https://host/path, without query, user and fragment.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "":
		return errors.New("the address is not of the form https://host/path")
	case u.User != nil:
		return errors.New("the address has a user name: use auth")
	case u.RawQuery != "" || u.ForceQuery:
		return errors.New("the address has a query: use the key query")
	case u.Fragment != "" || strings.Contains(address, "#"):
		return errors.New("the address has a fragment: leave out # and the text after it")
	case strings.Contains(u.EscapedPath(), "//"):
		return errors.New("the path has two slashes in a row: leave out the one at the end of the host")
	}
	for part := range strings.SplitSeq(u.Path, "/") {
		if part == "." || part == ".." {
			return errors.New("the path has . or ..: write the whole path")
		}
	}
	return nil
}
