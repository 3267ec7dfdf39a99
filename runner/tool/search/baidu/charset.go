package baidu

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/simplifiedchinese"
)

const byteOrderMark = "\ufeff"

// decode gives a body as UTF-8: by the charset that the Content-Type or a byte order mark
// names, else by the one that the page's own <meta> names, else as UTF-8 where it is that,
// else as GB 18030, which holds GBK and GB 2312.
func decode(body []byte, contentType string) (string, error) {
	encoding, name, certain := charset.DetermineEncoding(body, contentType)
	undeclared := name == "utf-8" || name == "windows-1252" // what it falls back to
	if !certain && undeclared {
		if utf8.Valid(body) {
			return strings.TrimPrefix(string(body), byteOrderMark), nil
		}
		encoding = simplifiedchinese.GB18030
	}
	out, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		return "", fmt.Errorf("decode %s: %w", name, err)
	}
	return strings.TrimPrefix(string(out), byteOrderMark), nil
}
