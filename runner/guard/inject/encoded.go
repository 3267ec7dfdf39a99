package inject

// Finding runs of encoded text. Written out, because every text is searched for them
// and hardly any holds one.

const (
	minEncoded  = 20 // characters of base64 or hexadecimal digits that are worth decoding
	minWrapped  = 4  // characters on a further line of base64
	minHexPairs = minEncoded / 2
)

func isBase64(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '/' || b == '-' || b == '_'
}

// nextBase64 returns the first run at or after from that may be base64 or base64url,
// over several lines too, with its padding; start == end if there is none.
func nextBase64(text string, from int) (start, end int) {
	for start = from; start < len(text); start = end + 1 {
		if end = endBase64(text, start); end-start >= minEncoded {
			return start, paddingEnd(text, linesEnd(text, end))
		}
	}
	return len(text), len(text)
}

func endBase64(text string, at int) int {
	for at < len(text) && isBase64(text[at]) {
		at++
	}
	return at
}

// linesEnd takes in the lines of base64 that follow the one that ends at end.
func linesEnd(text string, end int) int {
	for {
		next := end
		if next < len(text) && text[next] == '\r' {
			next++
		}
		if next >= len(text) || text[next] != '\n' {
			return end
		}
		line := next + 1
		lineEnd := endBase64(text, line)
		if lineEnd-line < minWrapped {
			return end
		}
		end = lineEnd
	}
}

func paddingEnd(text string, end int) int {
	for n := 0; n < 2 && end < len(text) && text[end] == '='; n++ {
		end++
	}
	return end
}

// nextHex returns the first run at or after from of at least minHexPairs pairs of
// hexadecimal digits, each with an optional prefix 0x or \x and an optional separator
// after it; start == end if there is none.
func nextHex(text string, from int) (start, end int) {
	for start = from; start < len(text); start++ {
		if text[start] != '\\' && hexValue(text[start]) < 0 {
			continue
		}
		pairs := 0
		end = start
		for next := hexPairEnd(text, end); next > end; next = hexPairEnd(text, end) {
			end = next
			pairs++
		}
		if pairs >= minHexPairs {
			return start, end
		}
	}
	return len(text), len(text)
}

// hexPairEnd returns the end of the pair of digits at at, or at if there is none.
func hexPairEnd(text string, at int) int {
	digits := at
	if at+1 < len(text) && text[at+1] == 'x' && (text[at] == '0' || text[at] == '\\') {
		digits = at + 2
	}
	if digits+1 >= len(text) || hexValue(text[digits]) < 0 || hexValue(text[digits+1]) < 0 {
		return at
	}
	end := digits + 2
	if end < len(text) && (text[end] == ' ' || text[end] == ':' || text[end] == ',') {
		end++
	}
	return end
}
