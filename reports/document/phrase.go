package document

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// verb is a verb of package fmt with its flags, width and precision.
var verb = lazy.Compile(`%[-+# 0]*[0-9]*(?:\.[0-9]+)?[a-zA-Z%]`)

// Phrase formats a sentence of this program as fmt.Sprintf does. An argument that is RichText is put in unchanged, so
// that text of others stays marked as theirs; its verb is %s. No verb takes its width, precision or index from the
// arguments.
func Phrase(format string, args ...any) RichText {
	var out RichText
	own, at := "", 0 // the words since the last RichText, and the place in the format
	flush := func() {
		if own != "" {
			out, own = append(out, Plain(own)...), ""
		}
	}
	for _, v := range verb.FindAllStringIndex(format, -1) {
		own, at = own+format[at:v[0]], v[1]
		if format[v[0]:v[1]] == "%%" {
			own += "%"
			continue
		}
		one := args[:min(1, len(args))]
		args = args[len(one):]
		if len(one) == 1 {
			if rich, ok := one[0].(RichText); ok {
				flush()
				out = append(out, rich...)
				continue
			}
		}
		own += fmt.Sprintf(format[v[0]:v[1]], one...)
	}
	own += format[at:]
	for _, extra := range args { // a mistake of the caller, shown as package fmt does
		own += fmt.Sprintf("%%!(EXTRA %T=%v)", extra, extra)
	}
	flush()
	return out
}
