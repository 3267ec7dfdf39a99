package promptfoo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// variable matches the name of a variable in a template, with the fields and positions of its value.
var variable = lazy.Compile(`^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*|\.\d+|\[\d+\]|\['[^']*'\]|\["[^"]*"\])*$`)

// render fills the variables {{name}} of a text. Other constructs of the template language Nunjucks are an error,
// and so is a variable that the test does not have.
func render(from string, vars map[string]any) (string, error) {
	var out strings.Builder
	for rest := from; ; {
		start := strings.IndexByte(rest, '{')
		if start < 0 || start+1 == len(rest) {
			out.WriteString(rest)
			return out.String(), nil
		}
		out.WriteString(rest[:start])
		switch rest = rest[start:]; rest[1] {
		case '%', '#':
			return "", fmt.Errorf("the template has %.30q: write the text without it", rest)
		case '{':
			inner, after, closed := strings.Cut(rest[2:], "}}")
			if !closed {
				return "", fmt.Errorf("the template has {{ without }}")
			}
			filled, err := look(strings.TrimSpace(inner), vars)
			if err != nil {
				return "", err
			}
			out.WriteString(filled)
			rest = after
		default:
			out.WriteByte('{')
			rest = rest[1:]
		}
	}
}

// look returns the text of a variable.
func look(expression string, vars map[string]any) (string, error) {
	if !variable.MatchString(expression) {
		return "", fmt.Errorf("the template has {{%.40s}}: only the names of variables are filled in", expression)
	}
	steps := strings.FieldsFunc(expression, func(r rune) bool { return strings.ContainsRune(`.[]'"`, r) })
	var value any = vars
	for _, step := range steps {
		switch v := value.(type) {
		case map[string]any:
			inner, has := v[step]
			if !has {
				return "", fmt.Errorf("the test has no variable %.60q", expression)
			}
			value = inner
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return "", fmt.Errorf("the test has no variable %.60q", expression)
			}
			value = v[i]
		default:
			return "", fmt.Errorf("the test has no variable %.60q", expression)
		}
	}
	if value == nil {
		return "", nil
	}
	filled, is := text(value)
	if !is {
		return "", fmt.Errorf("the variable %.60q is a list or an object: name one of its values", expression)
	}
	return filled, nil
}

// renderAll fills the variables in the values of variables, as promptfoo does. A value that cannot be filled stays
// as it is, because perhaps nothing uses it; its use is then an error.
func renderAll(vars map[string]any) map[string]any {
	out := make(map[string]any, len(vars))
	for name, value := range vars {
		if t, is := value.(string); is && strings.Contains(t, "{{") {
			if filled, err := render(t, vars); err == nil {
				value = filled
			}
		}
		out[name] = value
	}
	return out
}
