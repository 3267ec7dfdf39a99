package send

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Endpoint says where and how messages are sent.
type Endpoint struct {
	Traces, Logs string            // URLs; "" sends no messages of this kind
	Headers      map[string]string // sent with each request of traces, such as a key
	LogsHeaders  map[string]string // sent with each request of logs
	JSON         bool              // send traces as JSON; default is protobuf
	LogsJSON     bool              // the same for logs
	Gzip         bool              // compress requests
	Timeout      time.Duration     // of one attempt; 0 means 10 s
	Resource     []string          // attributes of the resource: names and values in turn
	Service      string            // service.name; "" means concur's
	From         string            // what gave the URL: telemetry.otlp, or the name of a variable
}

// Hosts returns scheme and host of the URLs, for messages: without path and query, which may have a key.
func (e Endpoint) Hosts() string {
	var out []string
	for _, address := range []string{e.Traces, e.Logs} {
		if u, err := url.Parse(address); err == nil && address != "" {
			out = append(out, u.Scheme+"://"+u.Host)
		}
	}
	return strings.Join(slices.Compact(out), ", ")
}

// FromConfiguration is the key of concur.yaml with a URL.
const FromConfiguration = "telemetry.otlp"

// The specification of the variables: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ and
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/.
const (
	variable         = "OTEL_EXPORTER_OTLP_"
	variableTraces   = variable + "TRACES_"
	variableLogs     = variable + "LOGS_"
	variableProtocol = "PROTOCOL"
	variableEndpoint = "ENDPOINT"
	variableHeaders  = "HEADERS"
	variableTimeout  = "TIMEOUT" // milliseconds
	variableCompress = "COMPRESSION"
)

// Read returns the endpoint of a base URL and of the environment. base is a URL that the user named: the path of each
// signal is added to it, and the variables with URLs are not read. If base is "", OTEL_EXPORTER_OTLP_ENDPOINT takes its
// place, and a variable of one signal, such as OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, is used as it is written. enabled is
// false if there is no URL, or if OTEL_SDK_DISABLED is true. The error names the wrong variable, without its value.
func Read(base string, environ func(string) string) (e Endpoint, enabled bool, err error) {
	if strings.EqualFold(strings.TrimSpace(environ("OTEL_SDK_DISABLED")), "true") {
		return e, false, nil
	}
	r := reader{environ: environ}
	e.Traces, e.Logs, e.From = r.addresses(base)
	e.JSON, e.LogsJSON = r.json(variableTraces), r.json(variableLogs)
	e.Headers, e.LogsHeaders = r.headers(variableTraces), r.headers(variableLogs)
	switch compression := r.setting(variableTraces, variableCompress); compression {
	case "", "none":
	case "gzip":
		e.Gzip = true
	default:
		r.refuse("%s%s is %q: set gzip or none", variable, variableCompress, compression)
	}
	if text := r.setting(variableTraces, variableTimeout); text != "" {
		n, wrong := strconv.Atoi(text)
		if wrong != nil || n < 1 || n > int(time.Hour/time.Millisecond) {
			r.refuse("%s%s is no time: set a number of milliseconds, such as 10000", variable, variableTimeout)
		}
		e.Timeout = time.Duration(n) * time.Millisecond
	}
	e.Service = environ("OTEL_SERVICE_NAME")
	e.Resource = r.pairs("OTEL_RESOURCE_ATTRIBUTES")
	return e, e.Traces != "" || e.Logs != "", errors.Join(r.wrong...)
}

// reader reads variables and collects the errors.
type reader struct {
	environ func(string) string
	wrong   []error
}

// refuse adds an error, each text once: both signals read some of the variables.
func (r *reader) refuse(format string, values ...any) {
	wrong := fmt.Errorf(format, values...)
	if !slices.ContainsFunc(r.wrong, func(e error) bool { return e.Error() == wrong.Error() }) {
		r.wrong = append(r.wrong, wrong)
	}
}

// setting returns the variable of a signal or, if it is not set, the variable of all signals.
func (r *reader) setting(signal, name string) string {
	if own := r.environ(signal + name); own != "" {
		return own
	}
	return r.environ(variable + name)
}

// addresses returns the URLs of both signals, and the name of the setting with the first of them.
func (r *reader) addresses(base string) (traces, logs, from string) {
	if base != "" {
		r.check(FromConfiguration, base)
		return r.join(base, "v1/traces"), r.join(base, "v1/logs"), FromConfiguration
	}
	of := func(signal, path string) (string, string) {
		exporter := r.environ("OTEL_" + strings.TrimPrefix(signal, variable) + "EXPORTER")
		if exporter != "" && !slices.Contains(strings.Split(exporter, ","), "otlp") {
			return "", ""
		}
		if own := r.environ(signal + variableEndpoint); own != "" {
			r.check(signal+variableEndpoint, own)
			return own, signal + variableEndpoint
		}
		all := r.environ(variable + variableEndpoint)
		if all == "" {
			return "", ""
		}
		r.check(variable+variableEndpoint, all)
		return r.join(all, path), variable + variableEndpoint
	}
	traces, from = of(variableTraces, "v1/traces")
	logs, other := of(variableLogs, "v1/logs")
	if from == "" {
		from = other
	}
	return traces, logs, from
}

// join adds a path to a base URL, before its query.
func (r *reader) join(base, path string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base // check reports it
	}
	return u.JoinPath(path).String()
}

// check refuses a text that is no URL, or that has a password.
func (r *reader) check(name, text string) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		r.refuse("%s is no URL: write it as http://127.0.0.1:4318", name)
	case u.User != nil:
		r.refuse("%s has a user or a password: set them as a header in %s%s", name, variable, variableHeaders)
	}
}

// json reports whether a signal is sent as JSON.
func (r *reader) json(signal string) bool {
	switch protocol := r.setting(signal, variableProtocol); protocol {
	case "", "http/protobuf":
	case "http/json":
		return true
	case "grpc":
		r.refuse("%s%s is grpc, which is not supported: set http/protobuf or http/json, and the port of HTTP, "+
			"usually 4318", variable, variableProtocol)
	default:
		r.refuse("%s%s is %q: set http/protobuf or http/json", variable, variableProtocol, protocol)
	}
	return false
}

// headers returns the headers of a signal. Its own variable overrides the variable of all signals.
func (r *reader) headers(signal string) map[string]string {
	out := map[string]string{}
	for _, name := range []string{variable + variableHeaders, signal + variableHeaders} {
		list := r.pairs(name)
		for i := 0; i < len(list); i += 2 {
			out[list[i]] = list[i+1]
		}
	}
	return out
}

// pairs reads a variable in the form name=value,name=value, with values in percent encoding.
func (r *reader) pairs(name string) (out []string) {
	for _, item := range strings.Split(r.environ(name), ",") {
		if strings.TrimSpace(item) == "" {
			continue
		}
		key, value, is := strings.Cut(item, "=")
		key = strings.TrimSpace(key)
		decoded, wrong := url.PathUnescape(strings.TrimSpace(value))
		if !is || key == "" || wrong != nil || strings.ContainsAny(key+decoded, "\r\n") {
			r.refuse("%s: an entry is not NAME=VALUE in percent encoding: entries are separated by commas", name)
			return nil
		}
		out = append(out, key, decoded)
	}
	return out
}
