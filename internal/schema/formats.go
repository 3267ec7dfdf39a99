package schema

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// format is a format of strings. Its text says how to write such a string.
type format struct {
	valid func(string) bool
	form  string
}

// formats has the formats of JSON Schema 2020-12 (Validation, section 7.3) that tools use. Other formats are
// not checked.
var formats = map[string]format{
	"date":          {isTime(time.DateOnly), "write YYYY-MM-DD"},
	"time":          {isClock, "write hh:mm:ssZ or hh:mm:ss+hh:mm"},
	"date-time":     {isInstant, "write YYYY-MM-DDThh:mm:ssZ"},
	"duration":      {durationForm.MatchString, "write an ISO 8601 duration such as P3D or PT2H"},
	"email":         {isEmail, "write name@host"},
	"hostname":      {isHostname, "write a host name such as example.org"},
	"ipv4":          {isIPv4, "write four numbers such as 192.0.2.1"},
	"ipv6":          {isIPv6, "write an address such as 2001:db8::1"},
	"uri":           {isURI, "write a whole address such as https://example.org/page"},
	"uri-reference": {isReference, "write an address or a path"},
	"uuid":          {uuidForm.MatchString, "write 32 hexadecimal digits in groups of 8-4-4-4-12"},
	"regex":         {isExpression, "write a regular expression"},
	"json-pointer":  {pointerForm.MatchString, "write a JSON pointer such as /a/0"},
}

var (
	uuidForm    = lazy.Compile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	pointerForm = lazy.Compile(`^(/([^/~]|~[01])*)*$`)
	labelForm   = lazy.Compile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
	localForm   = lazy.Compile(`^("[^"\\]*"|` + atom + `(\.` + atom + `)*)$`)
	clockForm   = lazy.Compile(`^([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?` +
		`([zZ]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`)
	durationForm = lazy.Compile(`^P([0-9]+W|([0-9]+Y([0-9]+M([0-9]+D)?)?|[0-9]+M([0-9]+D)?|[0-9]+D)(T` + clockUnits +
		`)?|T` + clockUnits + `)$`)
)

// atom is a part of the name in an address (RFC 5322, section 3.2.3).
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"

const clockUnits = `([0-9]+H([0-9]+M([0-9]+S)?)?|[0-9]+M([0-9]+S)?|[0-9]+S)`

func isTime(layout string) func(string) bool {
	return func(s string) bool {
		_, err := time.Parse(layout, s)
		return err == nil
	}
}

// isClock reports whether a text is a time. It accepts a second 60 only at 23:59 UTC, where leap seconds are.
func isClock(s string) bool {
	if !clockForm.MatchString(s) {
		return false
	}
	if s[6:8] != "60" {
		return true
	}
	zone := s[strings.LastIndexAny(s, "zZ+-"):]
	layout, text := "15:04Z07:00", s[:5]+strings.ToUpper(zone)
	t, err := time.Parse(layout, text)
	return err == nil && t.UTC().Format("15:04") == "23:59"
}

func isInstant(s string) bool {
	return len(s) > 11 && (s[10] == 'T' || s[10] == 't') && isTime(time.DateOnly)(s[:10]) && isClock(s[11:])
}

func isEmail(s string) bool {
	i := strings.LastIndexByte(s, '@')
	if i < 1 || i > 64 || len(s) > 254 || !localForm.MatchString(s[:i]) {
		return false
	}
	host := s[i+1:]
	if literal, ok := strings.CutPrefix(host, "["); ok && strings.HasSuffix(literal, "]") {
		literal = strings.TrimSuffix(literal, "]")
		if v6, ok := strings.CutPrefix(literal, "IPv6:"); ok {
			return isIPv6(v6)
		}
		return isIPv4(literal)
	}
	return isHostname(host)
}

func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !labelForm.MatchString(label) {
			return false
		}
	}
	return true
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

func isURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.IsAbs() && !strings.ContainsAny(s, `\ <>"{}|^`+"`")
}

func isReference(s string) bool {
	_, err := url.Parse(s)
	return err == nil && !strings.ContainsAny(s, `\ <>"{}|^`+"`")
}

func isExpression(s string) bool {
	_, err := regexp.Compile(s)
	return err == nil
}
