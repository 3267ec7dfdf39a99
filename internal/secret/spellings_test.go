package secret_test

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/secret"
)

const spelledKey = "sk-Proj_0123456789abcDEF"

// each writes every byte of a text in a format, with a separator between.
func each(text, format, between string) string {
	parts := make([]string, len(text))
	for i := range len(text) {
		parts[i] = fmt.Sprintf(format, text[i])
	}
	return strings.Join(parts, between)
}

// inLines breaks a text after every so many characters.
func inLines(text string, every int, end string) string {
	return strings.Join(slices.Collect(func(yield func(string) bool) {
		for part := range slices.Chunk([]byte(text), every) {
			if !yield(string(part)) {
				return
			}
		}
	}), end)
}

// spellings are ways to write a key from which a person or a small program reads it back.
func spellings(key string) map[string]string {
	b64 := base64.StdEncoding.EncodeToString([]byte("Authorization: Bearer " + key + "\n"))
	asJSON, _ := json.Marshal(key)
	full := strings.Map(func(r rune) rune { return r + 0xFEE0 }, key)
	reversed := []byte(key)
	slices.Reverse(reversed)
	out := map[string]string{
		"itself": key, "upper case": strings.ToUpper(key), "lower case": strings.ToLower(key), "swapped case": swapped(key),
		"JSON": string(asJSON), "reversed": string(reversed), "full width": full,
		"dashes": strings.ReplaceAll(key, "-", "\u2013"), "hyphens": strings.ReplaceAll(key, "-", "\u2011"),
		"query": url.QueryEscape(key), "path": url.PathEscape(key), "query twice": url.QueryEscape(url.QueryEscape(each(key, "%%%02X", ""))),
		"percent": each(key, "%%%02x", ""), "PERCENT": each(key, "%%%02X", ""), "percent twice": each(key, "%%25%02x", ""),
		"percent with blanks": each(key, "%%%02x", " "), "a list of percents": each(key, "%%%02x", ", "),
		"hex": hex.EncodeToString([]byte(key)), "HEX": each(key, "%02X", ""), "0x as one": "0x" + hex.EncodeToString([]byte(key)),
		"hex of upper case": hex.EncodeToString([]byte(strings.ToUpper(key))), "hex in lines": inLines(hex.EncodeToString([]byte(key)), 16, "\n"),
		"xxd": strings.TrimSpace(inLines(hex.EncodeToString([]byte(key)), 4, " ")),
		`\x`:  each(key, `\x%02x`, ""), `\X`: each(key, `\x%02X`, ""), `\\x`: each(key, `\\x%02x`, ""), `\x{}`: each(key, `\x{%x}`, ""),
		`\x with blanks`: each(key, `\x%02x`, " "), `\u`: each(key, `\u%04x`, ""), `\U`: each(key, `\u%04X`, ""), `\\u`: each(key, `\\u%04x`, ""),
		`\u{}`: each(key, `\u{%x}`, ""), "eight digits": each(key, `\U%08x`, ""), "U+": each(key, "U+%04X", " "), "u without a backslash": each(key, "u%04x", ""),
		"octal": each(key, `\%03o`, ""), "octal twice": each(key, `\\%03o`, ""), "octal numbers": each(key, "%03o", " "), "0o": each(key, "0o%o", ", "),
		"decimal": each(key, "%d", " "), "decimal list": "[" + each(key, "%d", ", ") + "]", "decimal lines": each(key, "%d", "\n"),
		"0x list": each(key, "0x%02x", ", "), "0X list": each(key, "0X%02X", ","), "C": "{" + each(key, "0x%02x", ",\n  ") + "}",
		"binary": each(key, "%08b", " "), "binary as one": each(key, "%08b", ""), "0b": each(key, "0b%08b", " "),
		"entities": each(key, "&#%d;", ""), "entities without ;": each(key, "&#%d", " "), "hex entities": each(key, "&#x%x;", ""), "HEX entities": each(key, "&#X%X;", ""),
		"padded entities": each(key, "&#%07d;", ""), "padded hex entities": each(key, "&#x%06x;", ""), "entities twice": html.EscapeString(each(key, "&#%d;", "")),
		"hex entities twice": html.EscapeString(each(key, "&#x%02x;", "")), "entities in lines": each(key, "&#%d;", "\n"),
		"named entities": strings.NewReplacer("-", "&#45;", "_", "&lowbar;").Replace(key), "a named hyphen": strings.ReplaceAll(key, "-", "&hyphen;"),
		"quoted-printable": each(key, "=%02X", ""), "soft line breaks": inLines(key, 6, "=\r\n"),
		"base64": b64, "base64 of the key": base64.StdEncoding.EncodeToString([]byte(key)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(">>>?" + key)),
		"base64 in lines": inLines(b64, 20, "\n"), "base64 in lines of CRLF": inLines(b64, 20, "\r\n"), "base64 in lines of 4": inLines(b64, 4, "\n    "),
		"base64 in JSON's lines": inLines(b64, 20, `\n`), "base64 with blanks": inLines(b64, 4, " "), "base64 as texts": inLines(b64, 20, "\" +\n  \""),
		"base64 percent-encoded": url.QueryEscape(inLines(b64, 20, "\n")), "base64 of base64": base64.StdEncoding.EncodeToString([]byte(b64)),
		"base64 of upper case": base64.StdEncoding.EncodeToString([]byte(strings.ToUpper(key))), "base32": base32.StdEncoding.EncodeToString([]byte(key)),
		"base32 in lower case": strings.ToLower(base32.StdEncoding.EncodeToString([]byte("Bearer " + key))),
		"JSON's list":          `["` + each(key, "%c", `","`) + `"]`, "Python's list": "['" + each(key, "%c", "', '") + "']",
		"a sum": "'" + each(key, "%c", "' + '") + "'", "tags": each(key, "%c", "<wbr>"), "bold letters": "<b>" + each(key, "%c", "</b><b>") + "</b>", "line breaks of HTML": each(key, "%c", "<br/>"),
		"blanks escaped": each(key, "%c", "%20"), "plus for blanks": each(key, "%c", "+"), "&nbsp;": each(key, "%c", "&nbsp;"), `\n`: each(key, "%c", `\n`),
		"two halves": key[:12] + " " + key[12:], "two lines": key[:12] + "\n" + key[12:], "two texts": key[:12] + "\" + \"" + key[12:], "in fours": inLines(key, 4, " "), "in fours with dashes": inLines(key, 4, "-"),
		"upper case with blanks": each(strings.ToUpper(key), "%c", " "), "reversed with blanks": each(string(reversed), "%c", " "),
	}
	for name, between := range map[string]string{
		"blank": " ", "two blanks": "  ", "tab": "\t", "line": "\n", "CRLF": "\r\n", "dash": "-", "dot": ".", "comma": ",", "comma and blank": ", ", "colon": ":",
		"bar": " | ", "slash": "/", "underscore": "_", "star": "*", "asterisks": "**", "no-break": "\u00a0", "zero width": "\u200b", "soft hyphen": "\u00ad",
		"joiner": "\u2060", "thin": "\u2009", "NUL": "\x00", "arrow": "→", "middle dot": "·", "backslash": `\`, "quotes": `""`, "semicolon": ";",
	} {
		out["with "+name] = each(key, "%c", between)
	}
	for name, between := range map[string]string{"blank": " ", "colon": ":", "dash": "-", "comma": ", ", "line": "\n", "underscore": "_", "dot": "."} {
		out["hex with "+name], out["HEX with "+name] = each(key, "%02x", between), each(key, "%02X", between)
	}
	return out
}

func swapped(s string) string {
	return strings.Map(func(r rune) rune {
		if up := strings.ToUpper(string(r)); up != string(r) {
			return rune(up[0])
		}
		return rune(strings.ToLower(string(r))[0])
	}, s)
}

// TestSpellings writes keys in many ways, and looks for what is left of them when they are hidden.
func TestSpellings(t *testing.T) {
	for _, key := range []string{spelledKey, "gsk_a1b2c3d4e5f6g7h8", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"} {
		h, all := secret.New(key), spellings(key)
		if len(all) < 120 {
			t.Fatalf("%d spellings", len(all))
		}
		for name, spelling := range all {
			got := h.Hide("it was ⟨" + spelling + "⟩ then")
			rest := len(got) - len("it was ⟨⟩ then") - len(secret.Mark)
			if most := map[bool]int{true: 80, false: 12}[strings.HasPrefix(name, "base")]; !strings.Contains(got, secret.Mark) || rest > most {
				t.Errorf("%s of %s:\n%s\nis left as\n%s", name, key, spelling, got)
			}
			whole := "it was ⟨" + spelling + "⟩ then"
			for n := 0; n < len(whole) && key[0] != '0'; n += 1 + len(whole)/40 { // the last 0 of that key may begin 0x30
				if first := h.Complete(h.Hide(whole[:n])); !strings.HasPrefix(got, first) {
					t.Errorf("%s: of its first %d bytes, %q is shown; of all, %q", name, n, first, got)
					break
				}
			}
		}
	}
}

// TestOrdinaryTexts has texts near a key that stay as they are.
func TestOrdinaryTexts(t *testing.T) {
	h := secret.New(spelledKey, "87654321", "changeme", "local-model")
	for _, text := range []string{
		"8, 7, 6, 5, 4, 3, 2, 1", "87 654 321", "8765 4321", "change me", "Change Me", "the local model", "LOCAL-MODEL", "sk-Proj_0123456789", "sk-Proj_0123456789abcDE",
		"sk, then the rest: proj 0123456789", "c2stUHJval8wMTIz", "%73%6b", "&#115;&#107;", "100 %", "a && b", "0x73 0x6b", strings.Repeat("s k - ", 1000),
	} {
		if got := h.Hide(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func FuzzHide(f *testing.F) {
	for _, spelling := range spellings(spelledKey) {
		f.Add("so "+spelling, 7)
	}
	h := secret.New(spelledKey)
	f.Fuzz(func(t *testing.T, text string, at int) {
		got := h.Hide(text)
		if strings.Contains(strings.ToLower(got), strings.ToLower(spelledKey)) {
			t.Errorf("%q is left as %q", text, got)
		}
		if n := max(0, min(at, len(text))); !strings.HasPrefix(got, h.Complete(h.Hide(text[:n]))) {
			t.Errorf("%q of %q is complete, and of all there is %q", h.Complete(h.Hide(text[:n])), text[:n], got)
		}
	})
}
