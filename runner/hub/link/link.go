package link

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options name a hub.
type Options struct {
	URL       string // nats://HOST:PORT or tls://HOST:PORT
	Token     string // secret that the hub wants; "" for none
	TokenFile string // file with the token, which is used if Token is ""; "" for none
	CA        string // file with the certificates that are trusted, in PEM form; "" means those of the system
	Name      string // of this process, for the operator of the hub
	// Log gets messages about lost and restored connections; nil drops them.
	Log func(string)
}

// Link is a connection to a hub. It connects again by itself.
type Link struct {
	Conn *nats.Conn
	JS   jetstream.JetStream
	// Store is the size in bytes that this account may store; -1 if there is no limit.
	Store int64
}

// Timeout limits how long a request to the hub may take.
const Timeout = 5 * time.Second

// QuietAfter is the time without an answer of the hub after which a person gets a warning.
const QuietAfter = 30 * time.Second

// leastPayload is the minimum size of a message in bytes that a hub must accept.
const leastPayload = 64 << 10

// CheckURL returns an error for a text that is not the URL of a hub. The error has no part of a password.
func CheckURL(url string) error {
	_, err := Options{URL: url}.address()
	return err
}

// address returns the address of the hub without a path.
func (o Options) address() (string, error) {
	text := o.URL
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "":
		return "", errors.New("the URL of the hub must have the form nats://HOST:4222 or tls://HOST:4222")
	case u.User != nil:
		return "", errors.New("the URL of the hub has a password, which other programs can see: write it into a file, " +
			"and give --hub-token-file, or set CONCUR_HUB_TOKEN")
	case u.Scheme != "nats" && u.Scheme != "tls":
		return "", fmt.Errorf("the URL of the hub begins with %s: write nats://%s, or tls://%[2]s", u.Scheme, u.Host)
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "":
		return "", fmt.Errorf("the URL of the hub has more than an address: write %s://%s", u.Scheme, u.Host)
	}
	return u.Scheme + "://" + u.Host, nil
}

// connection returns the options of the connection.
func (o Options) connection() ([]nats.Option, error) {
	if o.Token == "" && o.TokenFile != "" {
		raw, err := os.ReadFile(o.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("token of the hub: %w; name a file with --hub-token-file", err)
		}
		o.Token = strings.TrimSpace(string(raw))
	}
	say := o.Log
	if say == nil {
		say = func(string) {}
	}
	out := []nats.Option{
		nats.Name(cmp.Or(o.Name, "concur")), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond), nats.Timeout(Timeout),
		nats.PingInterval(Timeout), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
		nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				say(fmt.Sprintf("the connection to the hub is lost: %v; connecting again", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { say("connected to the hub again") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { say(fmt.Sprintf("hub: %v", err)) }),
	}
	if o.Token != "" {
		out = append(out, nats.Token(o.Token))
	}
	if o.CA != "" {
		out = append(out, nats.RootCAs(o.CA))
	}
	return out, nil
}

// Dial connects to a hub, and checks that it is one.
func Dial(ctx context.Context, o Options) (*Link, error) {
	address, err := o.address()
	if err != nil {
		return nil, err
	}
	options, err := o.connection()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(address, options...)
	if err != nil {
		return nil, fmt.Errorf("connect to the hub %s: %w; %s", address, err, adviceFor(err))
	}
	l := &Link{Conn: conn}
	if err := l.check(ctx, address); err != nil {
		conn.Close()
		return nil, err
	}
	return l, nil
}

// Unreachable reports whether an error of Dial means that nobody listens at the address, perhaps not yet.
func Unreachable(err error) bool {
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout)
}

// adviceFor returns what to do after an error of the first connection.
func adviceFor(err error) string {
	network, is := errors.AsType[*net.OpError](err)
	switch text := err.Error(); {
	case is && network.Op == "read" && network.Timeout(): // somebody accepts connections and does not greet
		return "there is no NATS server at this address, such as a web server: start one with `concur-hub`"
	case errors.Is(err, nats.ErrAuthorization):
		return "give its token with --hub-token-file or CONCUR_HUB_TOKEN"
	case errors.Is(err, nats.ErrSecureConnRequired), strings.Contains(text, "certificate"):
		return "write tls://HOST:PORT, and name its certificate with --hub-ca"
	case strings.Contains(text, "INFO"), strings.Contains(text, "Protocol exception"):
		return "there is no NATS server at this address: start one with `concur-hub`"
	}
	return "start a hub with `concur-hub`, or correct the address"
}

// check returns an error if the server cannot be used as a hub.
func (l *Link) check(ctx context.Context, address string) (err error) {
	if v := l.Conn.ConnectedServerVersion(); !recent(v) {
		return fmt.Errorf("the hub %s is NATS %s: use NATS 2.10 or later, or `concur-hub`", address, v)
	}
	if most := l.Conn.MaxPayload(); most < leastPayload {
		return fmt.Errorf("the hub %s accepts messages of %d bytes: set its max_payload to at least %d", address, most,
			leastPayload)
	}
	if l.JS, err = jetstream.New(l.Conn); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	info, err := l.JS.AccountInfo(ctx)
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) ||
		errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("the hub %s is a NATS server without JetStream: start it with `nats-server --jetstream`, or use "+
			"`concur-hub`", address)
	}
	if err != nil {
		return fmt.Errorf("ask the hub %s for its limits: %w", address, err)
	}
	l.Store = info.Limits.MaxStore
	return nil
}

// recent reports whether a version of NATS is 2.10 or later.
func recent(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, err := strconv.Atoi(major)
	b, wrong := strconv.Atoi(minor)
	return err == nil && wrong == nil && (a > 2 || a == 2 && b >= 10)
}

// Most returns the maximum size in bytes of a message to the hub: three quarters of what it accepts, so that headers
// have room.
func (l *Link) Most() int { return int(l.Conn.MaxPayload() / 4 * 3) }

// Publish sends a message to a stream, and returns when the hub has stored it. It does not try again. The message has
// no id by which the hub would drop it as a duplicate: a trace that is given back and asked for again is not one.
func (l *Link) Publish(ctx context.Context, subject string, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	_, err := l.JS.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: message}, jetstream.WithRetryAttempts(0))
	switch {
	case errors.Is(err, nats.ErrReconnectBufExceeded): // nothing is kept for later, and that is what the client calls it
		return errUnconnected
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no answer in %v: %w", Timeout, err)
	}
	return err
}

// errUnconnected means that there is no connection to the hub at the moment.
var errUnconnected = errors.New("there is no connection to the hub")

// Close closes the connection, after it has sent what is waiting.
func (l *Link) Close() {
	_ = l.Conn.FlushTimeout(Timeout) // without a connection there is nothing to send
	l.Conn.Close()
}
