package spec

import (
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Way is a way to prove who asks: one source of a key, and one place for it in a request.
type Way struct {
	Env   string `yaml:"env"`   // the name of an environment variable
	JWT   *JWT   `yaml:"jwt"`   // a signed token
	Value string `yaml:"value"` // a fixed text, which is no secret
	None  bool   `yaml:"none"`  // nothing is sent

	Bearer bool   `yaml:"bearer"` // Authorization: Bearer …
	Header string `yaml:"header"`
	Query  string `yaml:"query"`
	Body   string `yaml:"body"` // a field of form, or of the top of json
	Prefix string `yaml:"prefix"`
}

// JWT is a JSON Web Token, which is made again for each call (RFC 7519, RFC 8037).
type JWT struct {
	Alg    string        `yaml:"alg"`     // EdDSA
	KeyEnv string        `yaml:"key_env"` // variable with the key: PEM, PKCS 8, Ed25519
	Header settingFields `yaml:"header"`
	Claims settingFields `yaml:"claims"`
}

// Variable returns the environment variable that the way needs; "" if it needs none.
func (w *Way) Variable() string {
	if w.JWT != nil {
		return w.JWT.KeyEnv
	}
	return w.Env
}

// headerName matches the names of headers (RFC 9110 §5.1).
var headerName = lazy.Compile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// variableName matches the names of environment variables.
var variableName = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// UnmarshalNode reads a way and checks that it has one source and one place.
func (w *Way) UnmarshalNode(n *yaml.Node) error {
	type plain Way
	if err := strictyaml.DecodeNode(n, (*plain)(w)); err != nil {
		return err
	}
	sources := count(w.Env != "", w.JWT != nil, w.Value != "", w.None)
	places := count(w.Bearer, w.Header != "", w.Query != "", w.Body != "")
	switch {
	case sources != 1:
		return strictyaml.Errorf(n, "a way has one source: env, jwt, value or none")
	case w.None && (places > 0 || w.Prefix != ""):
		return strictyaml.Errorf(n, "none sends nothing: leave out bearer, header, query, body and prefix")
	case !w.None && places != 1:
		return strictyaml.Errorf(n, "a way has one place: bearer, header, query or body")
	case w.Header != "" && !headerName.MatchString(w.Header):
		return strictyaml.Errorf(n, "%q is no name of a header", w.Header)
	case w.JWT != nil && w.JWT.Alg != "EdDSA":
		return strictyaml.Errorf(n, "jwt.alg is EdDSA, not %q", w.JWT.Alg)
	case w.JWT != nil && w.JWT.KeyEnv == "":
		return strictyaml.Errorf(n, "jwt.key_env is missing: name the variable with the key")
	case w.Variable() != "" && !variableName.MatchString(w.Variable()):
		return strictyaml.Errorf(n, "%q is no name of an environment variable", w.Variable())
	}
	return nil
}

func count(all ...bool) (n int) {
	for _, is := range all {
		if is {
			n++
		}
	}
	return n
}
