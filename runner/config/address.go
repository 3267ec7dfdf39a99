package config

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"

	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

var (
	variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	// namesKey matches parameters that hold a key, such as key, api_key, access-token.
	namesKey = regexp.MustCompile(`(?i)^(.*[_-])?(api)?(key|token|auth|secret|password|sig|signature)$`)
)

// Address is HTTP with the values of the environment variables that it names as ${NAME}, escaped,
// and those values: keys, which must not be shown. A variable that is not set is an error.
func (e External) Address(environ func(string) string) (address string, keys []string, err error) {
	address = variable.ReplaceAllStringFunc(e.HTTP, func(found string) string {
		name := variable.FindStringSubmatch(found)[1]
		value := environ(name)
		if value == "" && err == nil {
			err = fmt.Errorf("agent.http names ${%s}, which is not set: export %s, or leave it out", name, name)
		}
		keys = append(keys, value)
		return url.QueryEscape(value)
	})
	return address, keys, err
}

// keyIn is the parameter of a URL's query whose value is a key as it is, or "".
func keyIn(u *url.URL) string {
	for _, name := range slices.Sorted(maps.Keys(u.Query())) {
		for _, value := range u.Query()[name] {
			if (namesKey.MatchString(name) || endpoints.LooksLikeKey(value)) && !variable.MatchString(value) && value != "" {
				return name
			}
		}
	}
	return ""
}
