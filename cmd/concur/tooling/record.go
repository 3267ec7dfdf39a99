package tooling

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/api/fixtures"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

// caseText is a case in the form of fixtures.Case, without empty keys.
type caseText struct {
	Name     string            `yaml:"name"`
	Args     map[string]any    `yaml:"args"`
	Settings map[string]any    `yaml:"settings,omitempty"`
	Env      map[string]string `yaml:"env,omitempty"`
	Now      string            `yaml:"now"`
	Replies  []replyText       `yaml:"replies"`
	Sent     []string          `yaml:"sent"`
	Want     map[string]any    `yaml:"want"`
}

type replyText struct {
	Status  int               `yaml:"status"`
	Type    string            `yaml:"type,omitempty"`
	Headers map[string]string `yaml:"headers,omitempty"`
	Body    string            `yaml:"body,omitempty"`
	File    string            `yaml:"file,omitempty"`
}

// recording is a call that becomes a case.
type recording struct {
	Call
	file      *spec.File
	settings  map[string]any
	environ   func(string) string
	at        time.Time
	exchanges []api.Exchange
	result    tool.Result
}

// Record makes a call of a tool that is a file, and adds it to the cases of a folder. It says what it did. The case has
// no key: variables with keys have other values, and keys that the service repeats were removed. The error says so if
// the case does not give what the call gave.
func Record(ctx context.Context, conf config.Configuration, folder string, environ func(string) string,
	c Call) (string, error) {
	c.Arguments = cmp.Or(c.Arguments, "{}")
	r := recording{Call: c, environ: environ, at: time.Now()}
	var err error
	if r.file, r.settings, err = Declared(conf, c.Name); err != nil {
		return "", err
	}
	if r.exchanges, r.result, err = c.exchanges(ctx, nil); err != nil {
		return "", err
	}
	path, gave, err := r.write(ctx, folder)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("recorded %s in %s; the call gave %s", text.Counted(len(r.exchanges), "exchange"), path, gave), nil
}

// longestArguments is the length of arguments in the name of a case, in characters.
const longestArguments = 80

// write adds the call to the cases of a folder. It returns the file and what the call gave.
func (r recording) write(ctx context.Context, folder string) (path, gave string, err error) {
	if len(r.exchanges) == 0 {
		return "", "", errors.New("the call sent nothing, so there is no reply to record")
	}
	at := r.at.UTC().Format(time.RFC3339)
	c := caseText{Name: "recorded " + at + " " + text.Clip(r.Arguments, longestArguments), Settings: r.settings,
		Now: at, Args: map[string]any{}, Want: r.want()}
	if err := json.Unmarshal([]byte(r.Arguments), &c.Args); err != nil {
		return "", "", fmt.Errorf("read arguments: %w", err)
	}
	if c.Env, err = r.variables(); err != nil {
		return "", "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", "", err
	}
	for i, x := range r.exchanges {
		one, err := r.reply(folder, i, x)
		if err != nil {
			return "", "", err
		}
		c.Replies = append(c.Replies, one)
	}
	o, err := r.try(ctx, folder, c)
	if err != nil {
		return "", "", err
	}
	c.Sent = o.Requests
	path = filepath.Join(folder, r.Name+".yaml")
	if err := appendCase(path, c); err != nil {
		return "", "", err
	}
	if _, err := fixtures.Load(path); err != nil {
		return "", "", err
	}
	if len(o.Problems) > 0 {
		return "", "", fmt.Errorf("the case in %s is not what the call gave: %s", path, strings.Join(o.Problems, "; "))
	}
	return path, o.Short(), nil
}

// try runs the case without a network: it tells the requests, with the keys of the case.
func (r recording) try(ctx context.Context, folder string, c caseText) (o fixtures.Outcome, err error) {
	f, err := os.CreateTemp(folder, ".case-*.yaml") // in the folder, because bodies are named relative to it
	if err != nil {
		return o, err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(f.Close(), appendCase(f.Name(), c)); err != nil {
		return o, err
	}
	cases, err := fixtures.Load(f.Name())
	if err != nil {
		return o, err
	}
	return fixtures.Run(ctx, r.Name, r.file, cases[0]), nil
}

// variables returns other values for the variables with keys.
func (r recording) variables() (map[string]string, error) {
	out := map[string]string{}
	for i := range r.file.Auth {
		way := &r.file.Auth[i]
		name := way.Variable()
		if name == "" || r.environ(name) == "" {
			continue
		}
		out[name] = "recorded-key"
		if way.JWT != nil {
			_, key, err := ed25519.GenerateKey(nil)
			if err != nil {
				return nil, err
			}
			raw, err := x509.MarshalPKCS8PrivateKey(key)
			if err != nil {
				return nil, err
			}
			out[name] = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
		}
	}
	return out, nil
}

// want says what the call gave.
func (r recording) want() map[string]any {
	out := map[string]any{"requests": len(r.exchanges)}
	switch documents := r.result.Output.Documents; {
	case r.result.Error != "":
		out["kind"] = r.result.Kind
	case documents == nil:
		out["object"] = r.result.Output.Object
	case len(documents) == 0:
		out["empty"] = true
	default:
		var list []map[string]string
		for _, d := range documents {
			one := map[string]string{"id": d.Ref}
			for name, value := range map[string]string{
				"title": d.Title, "snippet": d.Snippet, "source": d.Source, "time": d.Time,
			} {
				if value != "" {
					one[name] = value
				}
			}
			list = append(list, one)
		}
		out["documents"] = list
	}
	return out
}

// longest is the length of a body above which it has a file of its own.
const longest = 2000

// keptHeaders are the headers of a reply that a case has.
var keptHeaders = []string{"Location", "Retry-After", "Retry-After-Ms"}

func (r recording) reply(folder string, i int, x api.Exchange) (replyText, error) {
	out := replyText{Status: x.Status, Type: x.Header.Get("Content-Type")}
	if x.Status == 0 {
		return out, fmt.Errorf("request %d got no reply: %s", i+1, x.Error)
	}
	for _, name := range keptHeaders {
		if v := x.Header.Get(name); v != "" {
			if out.Headers == nil {
				out.Headers = map[string]string{}
			}
			out.Headers[name] = v
		}
	}
	odd := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) && r != '\n' && r != '\t' }
	if len(x.Body) <= longest && !strings.ContainsFunc(x.Body, odd) {
		out.Body = x.Body
		return out, nil
	}
	out.File = fmt.Sprintf("bodies/%s-%s-%d", r.Name, r.at.UTC().Format("20060102T150405"), i+1)
	if err := os.MkdirAll(filepath.Join(folder, "bodies"), 0o755); err != nil {
		return out, err
	}
	return out, os.WriteFile(filepath.Join(folder, filepath.FromSlash(out.File)), []byte(x.Body), 0o644)
}

// appendCase adds a case to a file.
func appendCase(path string, c caseText) error {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode([]caseText{c}); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		_, _ = f.WriteString("\n") // a file without a line break at its end would not be YAML; Load reports it
	}
	_, err = f.Write(out.Bytes())
	return errors.Join(err, f.Close())
}
