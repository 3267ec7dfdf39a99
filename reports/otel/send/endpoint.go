package send

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Endpoint says where and how messages are sent.
type Endpoint struct {
	Traces, Logs string            // URLs; "" sends no messages of this kind
	Headers      map[string]string // sent with each request, such as a key
	JSON         bool              // send JSON; default is protobuf
	Resource     []string          // attributes of the resource: names and values in turn
	Service      string            // service.name; "" means concur's
}

// The specification of the variables: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ and
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/.
const (
	variable         = "OTEL_EXPORTER_OTLP_"
	variableTraces   = variable + "TRACES_"
	variableLogs     = variable + "LOGS_"
	variableProtocol = "PROTOCOL"
	variableEndpoint = "ENDPOINT"
	variableHeaders  = "HEADERS"
)

// Read returns the endpoint of a base URL and of the environment. base is the URL of the configuration; "" takes
// OTEL_EXPORTER_OTLP_ENDPOINT. A variable of one signal, such as OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, is used as it is
// written; to a base URL the signal's path is added. enabled is false if there is no URL, or if OTEL_SDK_DISABLED is
// true. The error names the wrong variable, without its value.
func Read(base string, environ func(string) string) (e Endpoint, enabled bool, err error) {
	if strings.EqualFold(strings.TrimSpace(environ("OTEL_SDK_DISABLED")), "true") {
		return e, false, nil
	}
	from := "telemetry.otlp"
	if base == "" {
		base, from = environ(variable+variableEndpoint), variable+variableEndpoint
	}
	var wrong []error
	address := func(signal, path string) string {
		if own := environ(signal + variableEndpoint); own != "" {
			wrong = append(wrong, checkURL(signal+variableEndpoint, own))
			return own
		}
		if base == "" {
			return ""
		}
		joined, err := joinPath(base, path)
		if err == nil {
			err = checkURL(from, base)
		} else {
			err = fmt.Errorf("%s is no URL: write it as http://127.0.0.1:4318", from)
		}
		wrong = append(wrong, err)
		return joined
	}
	e.Traces, e.Logs = address(variableTraces, "v1/traces"), address(variableLogs, "v1/logs")
	switch protocol := cmp.Or(environ(variableTraces+variableProtocol), environ(variable+variableProtocol)); protocol {
	case "", "http/protobuf":
	case "http/json":
		e.JSON = true
	default:
		wrong = append(wrong, fmt.Errorf("%s%s is %q: set http/protobuf or http/json; gRPC is not supported", variable,
			variableProtocol, protocol))
	}
	var bad error
	if e.Headers, bad = headers(variable+variableHeaders, environ); bad != nil {
		wrong = append(wrong, bad)
	}
	e.Service = environ("OTEL_SERVICE_NAME")
	if e.Resource, bad = pairs("OTEL_RESOURCE_ATTRIBUTES", environ); bad != nil {
		wrong = append(wrong, bad)
	}
	return e, e.Traces != "" || e.Logs != "", errors.Join(wrong...)
}

// joinPath adds a path to a base URL, before its query.
func joinPath(base, path string) (string, error) {
	u, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	return u.JoinPath(path).String(), nil
}

func checkURL(name, text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%s is no URL: write it as http://127.0.0.1:4318", name)
	case u.User != nil:
		return fmt.Errorf("%s has a user or a password: set them as a header in %s%s", name, variable, variableHeaders)
	}
	return nil
}

// headers reads a variable of headers. Those of the traces override those of all signals.
func headers(name string, environ func(string) string) (map[string]string, error) {
	out := map[string]string{}
	for _, of := range []string{name, variableTraces + variableHeaders} {
		list, err := pairs(of, environ)
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(list); i += 2 {
			out[list[i]] = list[i+1]
		}
	}
	return out, nil
}

// pairs reads a variable in the form name=value,name=value, with values in percent encoding.
func pairs(name string, environ func(string) string) (out []string, err error) {
	for _, item := range strings.Split(environ(name), ",") {
		if strings.TrimSpace(item) == "" {
			continue
		}
		key, value, is := strings.Cut(item, "=")
		key = strings.TrimSpace(key)
		decoded, wrong := url.PathUnescape(strings.TrimSpace(value))
		if !is || key == "" || wrong != nil || strings.ContainsAny(decoded, "\r\n") {
			return nil, fmt.Errorf("%s: an entry is not NAME=VALUE in percent encoding: entries are separated by commas", name)
		}
		out = append(out, key, decoded)
	}
	return out, nil
}
