package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/server"
)

const anyPort = "127.0.0.1:0"

func started(t *testing.T, o server.Options) *server.Server {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Listen == "" {
		o.Listen = anyPort
	}
	s, err := server.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func connected(t *testing.T, url string, o ...nats.Option) jetstream.JetStream {
	t.Helper()
	c, err := nats.Connect(url, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func TestRefused(t *testing.T) {
	secret := file(t, "0123456789abcdef0123456789abcdef\n")
	certificate, key := pair(t)
	taken, err := net.Listen("tcp", anyPort)
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cases := map[string]struct {
		o    server.Options
		want string
	}{
		"no port":           {server.Options{Listen: "127.0.0.1"}, "write HOST:PORT"},
		"port":              {server.Options{Listen: "127.0.0.1:70000"}, "write HOST:PORT"},
		"open to all":       {server.Options{Listen: "0.0.0.0:0"}, "can be reached from other machines"},
		"every address":     {server.Options{Listen: ":0"}, "can be reached from other machines"},
		"token alone":       {server.Options{Listen: "0.0.0.0:0", TokenFile: secret}, "add --token-file, --tls-cert"},
		"TLS alone":         {server.Options{Listen: "0.0.0.0:0", Certificate: certificate, Key: key}, "add --token-file"},
		"short token":       {server.Options{TokenFile: file(t, "secret\n")}, "at least 16 characters"},
		"two tokens":        {server.Options{TokenFile: file(t, strings.Repeat("0123456789abcdef\n", 2))}, "write one line"},
		"no token file":     {server.Options{TokenFile: filepath.Join(t.TempDir(), "none")}, "--token-file"},
		"certificate alone": {server.Options{Certificate: certificate}, "go together"},
		"not a certificate": {server.Options{Certificate: secret, Key: key}, "in PEM form"},
		"small store":       {server.Options{Store: 1000}, "give at least"},
		"full disk":         {server.Options{Free: func(string) (int64, error) { return 1000, nil }}, "make room"},
		"port in use":       {server.Options{Listen: taken.Addr().String(), Store: 8 << 20}, "start hub on"},
		"folder is a file":  {server.Options{Dir: secret}, "choose another with --dir"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.o.Dir == "" {
				c.o.Dir = t.TempDir()
			}
			if c.o.Listen == "" {
				c.o.Listen = anyPort
			}
			s, err := server.Start(c.o)
			if err == nil {
				s.Close()
				t.Fatal("the hub started")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want one with %q", err, c.want)
			}
		})
	}
}

func TestTokenAndTLS(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef"
	certificate, key := pair(t)
	s := started(t, server.Options{TokenFile: file(t, secret+"\n"), Certificate: certificate, Key: key, Store: 8 << 20})
	if c, err := nats.Connect(s.URL(), nats.RootCAs(certificate)); !errors.Is(err, nats.ErrAuthorization) {
		c.Close()
		t.Errorf("without the token: %v", err)
	}
	if c, err := nats.Connect(s.URL(), nats.Token(secret)); err == nil {
		c.Close()
		t.Error("a client that does not know the certificate connected")
	}
	js := connected(t, s.URL(), nats.RootCAs(certificate), nats.Token(secret))
	if _, err := js.AccountInfo(context.Background()); err != nil {
		t.Error(err)
	}
}

// The default store is half of the free space, and clients see the limit.
func TestStore(t *testing.T) {
	s := started(t, server.Options{Free: func(string) (int64, error) { return 1 << 30, nil }})
	info, err := connected(t, s.URL()).AccountInfo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s.Store() != 1<<29 || info.Limits.MaxStore != 1<<29 {
		t.Errorf("store %d, limit for clients %d; want %d", s.Store(), info.Limits.MaxStore, 1<<29)
	}
}

// While the disk is nearly full, messages are refused; afterwards they are accepted again, without a restart.
func TestFullDisk(t *testing.T) {
	var free atomic.Int64
	free.Store(1 << 30)
	said := make(chan string, 100)
	s := started(t, server.Options{
		Store: 64 << 20, LookEvery: time.Millisecond, Log: func(text string) { said <- text },
		Free: func(string) (int64, error) { return free.Load(), nil },
	})
	ctx := context.Background()
	js := connected(t, s.URL())
	_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}, MaxBytes: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	publish := func() error { _, err := js.Publish(ctx, "s", make([]byte, 1000)); return err }
	if err := publish(); err != nil {
		t.Fatal(err)
	}
	free.Store(10 << 20)
	if text := <-said; !strings.Contains(text, "has 10 MB free, and 64 MB are needed") {
		t.Errorf("the hub said %q", text)
	}
	if err := publish(); err == nil || !strings.Contains(err.Error(), "resource limits exceeded") {
		t.Errorf("publish with a full disk: %v", err)
	}
	free.Store(1 << 30)
	for text := range said {
		if strings.Contains(text, "accepted again") {
			break
		}
	}
	if err := publish(); err != nil {
		t.Errorf("publish after there was space again: %v", err)
	}
}

// Without its folder the hub says so, once, and how to go on.
func TestFolderGone(t *testing.T) {
	said := make(chan string, 1000)
	var looks atomic.Int64
	started(t, server.Options{
		Store: 64 << 20, LookEvery: time.Millisecond, Log: func(text string) { said <- text },
		Free: func(dir string) (int64, error) {
			if looks.Add(1) < 10 {
				return 1 << 30, nil
			}
			return 0, &fs.PathError{Op: "statfs", Path: dir, Err: fs.ErrNotExist}
		},
	})
	if text := <-said; !strings.Contains(text, "is gone: start concur-hub again") {
		t.Errorf("the hub said %q", text)
	}
	for looks.Load() < 100 {
		time.Sleep(time.Millisecond)
	}
	if len(said) > 0 {
		t.Errorf("the hub said it again: %q", <-said)
	}
}

// A port that is in use is named once, in the error.
func TestPortInUse(t *testing.T) {
	other := started(t, server.Options{Store: 8 << 20})
	var said atomic.Int64
	s, err := server.Start(server.Options{Dir: t.TempDir(), Store: 8 << 20, Log: func(string) { said.Add(1) },
		Listen: strings.TrimPrefix(other.URL(), "nats://")})
	if err == nil {
		s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "address already in use") || said.Load() > 0 {
		t.Errorf("error %v, and %d messages", err, said.Load())
	}
}

// Messages survive a restart.
func TestRestart(t *testing.T) {
	o := server.Options{Dir: t.TempDir(), Listen: anyPort, Store: 8 << 20}
	first, err := server.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	js := connected(t, first.URL())
	_, err = js.CreateStream(ctx, jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}})
	if _, publishErr := js.Publish(ctx, "s", []byte("kept")); err != nil || publishErr != nil {
		t.Fatal(err, publishErr)
	}
	first.Close()
	js = connected(t, started(t, o).URL())
	stream, err := js.Stream(ctx, "S")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := stream.GetMsg(ctx, 1); err != nil || string(m.Data) != "kept" {
		t.Errorf("message after a restart: %v, %v", m, err)
	}
}

// pair writes a certificate for 127.0.0.1 and its key.
func pair(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hub"}, IsCA: true,
		BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, of, of, &private.PublicKey, private)
	raw, keyErr := x509.MarshalECPrivateKey(private)
	if err = errors.Join(err, keyErr); err != nil {
		t.Fatal(err)
	}
	certificate = file(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	return certificate, file(t, string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw})))
}
