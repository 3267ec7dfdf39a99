package ask

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

// Key is the way in which a tool proves who asks, with its value.
type Key struct {
	way   *spec.Way
	value string             // of a variable, or a fixed text
	sign  ed25519.PrivateKey // of a JWT
}

// ErrNoKey is the cause of FindKey's error if no variable is set.
var ErrNoKey = errors.New("no key is set")

// NoKeyError is an error about a tool without a key. It is ErrNoKey.
type NoKeyError struct {
	Variables []string // one of them must be set
}

func (e NoKeyError) Error() string {
	return ErrNoKey.Error() + ": set " + strings.Join(e.Variables, " or ")
}

// Unwrap returns ErrNoKey.
func (e NoKeyError) Unwrap() error { return ErrNoKey }

// FindKey returns the first way of a file whose variable is set. Without ways, nothing is sent.
func FindKey(f *spec.File, environ func(string) string) (Key, error) {
	var variables []string
	for i := range f.Auth {
		way := &f.Auth[i]
		name := way.Variable()
		if name == "" {
			return Key{way: way, value: way.Value}, nil
		}
		value := environ(name)
		if value == "" {
			variables = append(variables, name)
			continue
		}
		if way.JWT != nil {
			key, err := privateKey(value)
			if err != nil {
				return Key{}, fmt.Errorf("%s: %w", name, err)
			}
			return Key{way: way, sign: key, value: value}, nil
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return Key{}, fmt.Errorf("%s has white space or characters beyond ASCII: check it for a line break at its end",
				name)
		}
		return Key{way: way, value: value}, nil
	}
	if len(variables) > 0 {
		return Key{}, NoKeyError{variables}
	}
	return Key{}, nil
}

// Secrets returns the values that must be hidden.
func (k Key) Secrets() []string {
	if k.way == nil || k.way.Variable() == "" {
		return nil
	}
	return []string{k.value}
}

// Shown returns the variable whose value cannot be hidden, because it is short and like a word or a number; "" if every
// value can be hidden.
func (k Key) Shown() string {
	for _, value := range k.Secrets() {
		if !secret.CanHide(value) {
			return k.way.Variable()
		}
	}
	return ""
}

// Variables says which variables a person can check or set after a failure of kind auth; "" if the file names no
// variable.
func (k Key) Variables(f *spec.File) string {
	if k.way != nil && k.way.Variable() != "" {
		return "check " + k.way.Variable()
	}
	var names []string
	for _, w := range f.Auth {
		if name := w.Variable(); name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "set " + strings.Join(names, " or ")
}

// privateKey reads an Ed25519 key. Its errors do not quote the key.
func privateKey(text string) (ed25519.PrivateKey, error) {
	// Some programs write the line breaks of a key as \n into a variable.
	block, _ := pem.Decode([]byte(strings.ReplaceAll(text, `\n`, "\n")))
	if block == nil {
		return nil, errors.New("it is not a key in PEM: give the text of the file with its BEGIN and END lines")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if private, is := key.(ed25519.PrivateKey); is && err == nil {
		return private, nil
	}
	return nil, errors.New("it is not an Ed25519 key in PKCS 8")
}

// token returns the text that is sent, without the prefix.
func (k Key) token(ctx context.Context, s *spec.Scene) (string, error) {
	if k.way.JWT == nil {
		return k.value, nil
	}
	settings := &spec.Scene{Settings: s.Settings, Clock: s.Clock}
	header, err := k.way.JWT.Header.Eval(ctx, settings)
	if err != nil {
		return "", fmt.Errorf("jwt.header: %w", err)
	}
	header["alg"] = k.way.JWT.Alg
	claims, err := k.way.JWT.Claims.Eval(ctx, settings)
	if err != nil {
		return "", fmt.Errorf("jwt.claims: %w", err)
	}
	var parts []string
	for _, part := range []any{header, claims} {
		raw, err := json.Marshal(part) // sorts the keys
		if err != nil {
			return "", fmt.Errorf("jwt: %w", err)
		}
		parts = append(parts, base64.RawURLEncoding.EncodeToString(raw))
	}
	signed := strings.Join(parts, ".")
	return signed + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(k.sign, []byte(signed))), nil
}
