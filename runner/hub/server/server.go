package server

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"
)

const (
	// DefaultListen is the address on which a hub listens if none is given.
	DefaultListen = "127.0.0.1:4222"
	// maxStore limits the default of Options.Store.
	maxStore = 8 << 30
	// LeastStore is the minimum of Options.Store: with less, results of one trace may not fit.
	LeastStore = 2 << 20
	// startWait limits the time until the server accepts connections. It reads its stored messages first.
	startWait = 2 * time.Minute
)

// Options configure a hub.
type Options struct {
	Dir    string // where messages are stored; created if it does not exist
	Listen string // HOST:PORT; "" means DefaultListen, and the port 0 means any free one
	// TokenFile has the secret that clients must send; "" accepts every client.
	TokenFile string
	// Certificate and Key are files in PEM form. Either both are given, or neither.
	Certificate, Key string
	// Store is the maximum size of the stored messages in bytes. 0 means half of the free space, and at most 8 GiB.
	Store int64
	// MaxPayload is the maximum size of a message in bytes; 0 means 1 MiB.
	MaxPayload int32
	// Log gets messages for the operator; nil drops them.
	Log func(string)
	// Free returns the free space of the file system of a folder, in bytes; nil asks the system. Tests replace it.
	Free func(dir string) (int64, error)
	// LookEvery is the time between two looks at the free space; 0 means 10 s.
	LookEvery time.Duration
}

// Server is a running hub.
type Server struct {
	nats  *nats.Server
	o     Options
	store int64
	full  bool // messages are refused, because the disk is nearly full
	gone  bool // the folder, which was said; used only by watch
	done  chan struct{}
	ended chan struct{}
}

// Start starts a hub. It returns when clients can connect.
func Start(o Options) (*Server, error) {
	o.Listen, o.LookEvery = cmp.Or(o.Listen, DefaultListen), cmp.Or(o.LookEvery, 10*time.Second)
	if o.Free == nil {
		o.Free = freeSpace
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	options, err := o.nats()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of messages: %w; choose another with --dir", err)
	}
	s := &Server{o: o, done: make(chan struct{}), ended: make(chan struct{})}
	if s.store, err = o.storeSize(); err != nil {
		return nil, err
	}
	// The limit of the account counts. A change of it must fit twice into that of the server, beside the streams.
	options.JetStreamMaxStore = 2*s.store + 1
	if s.nats, err = nats.NewServer(options); err != nil {
		return nil, fmt.Errorf("start hub: %w", err)
	}
	log := &logger{say: o.Log}
	s.nats.SetLoggerV2(log, false, false, false)
	s.nats.Start()
	ready := false
	for end := time.Now().Add(startWait); !ready && log.fatal() == "" && time.Now().Before(end); {
		ready = s.nats.ReadyForConnections(100 * time.Millisecond)
	}
	if !ready || !s.nats.JetStreamEnabled() {
		s.nats.Shutdown()
		return nil, fmt.Errorf("start hub on %s: %s; choose another --listen or --dir", o.Listen,
			cmp.Or(log.fatal(), "it accepts no connections"))
	}
	log.mu.Lock()
	log.started = true
	log.mu.Unlock()
	if err := s.limit(s.store); err != nil {
		s.nats.Shutdown()
		return nil, fmt.Errorf("start hub: limit its store: %w; give a larger --store", err)
	}
	s.look()
	go s.watch()
	return s, nil
}

// nats returns the options of the server inside this process.
func (o Options) nats() (*nats.Options, error) {
	host, text, err := net.SplitHostPort(o.Listen)
	port, wrong := strconv.Atoi(text)
	if err = errors.Join(err, wrong); err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("--listen %s: write HOST:PORT, such as %s", o.Listen, DefaultListen)
	}
	if port == 0 {
		port = nats.RANDOM_PORT
	}
	out := &nats.Options{
		ServerName: "concur-hub", Host: host, Port: port, JetStream: true, StoreDir: o.Dir, NoSigs: true,
		MaxPayload: cmp.Or(o.MaxPayload, nats.MAX_PAYLOAD_SIZE), DisableJetStreamBanner: true,
		JetStreamMaxMemory: 64 << 20,
	}
	if out.Authorization, err = token(o.TokenFile); err != nil {
		return nil, err
	}
	if (o.Certificate == "") != (o.Key == "") {
		return nil, errors.New("--tls-cert and --tls-key go together: give both, or neither")
	}
	if o.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(o.Certificate, o.Key)
		if err != nil {
			return nil, fmt.Errorf("--tls-cert %s: %w; give a certificate and its key in PEM form", o.Certificate, err)
		}
		out.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		out.TLSTimeout = 10
	}
	if !onLoopback(host) && (out.TLSConfig == nil || out.Authorization == "") {
		return nil, fmt.Errorf("--listen %s can be reached from other machines: add --token-file, --tls-cert and "+
			"--tls-key, or listen on 127.0.0.1", o.Listen)
	}
	return out, nil
}

// onLoopback reports whether only programs of this machine can reach a host.
func onLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// leastToken is the minimum length of a token, so that it cannot be guessed.
const leastToken = 16

// token reads a token from the first line of a file.
func token(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w; write a long random text into it", err)
	}
	line, rest, _ := strings.Cut(string(raw), "\n")
	line = strings.TrimSpace(line)
	if len(line) < leastToken || strings.TrimSpace(rest) != "" {
		return "", fmt.Errorf("--token-file %s: write one line with at least %d characters into it, for example with "+
			"`openssl rand -hex 32`", file, leastToken)
	}
	return line, nil
}

// storeSize returns the maximum size of the stored messages.
func (o Options) storeSize() (int64, error) {
	if o.Store != 0 && o.Store < LeastStore {
		return 0, fmt.Errorf("--store is %d bytes: give at least %d", o.Store, LeastStore)
	}
	if o.Store != 0 {
		return o.Store, nil
	}
	free, err := o.Free(o.Dir)
	if err != nil {
		return 0, fmt.Errorf("find the free space of %s: %w; give --store", o.Dir, err)
	}
	if free/2 < LeastStore {
		return 0, fmt.Errorf("%s has only %d bytes free: make room, or choose another --dir", o.Dir, free)
	}
	return min(free/2, maxStore), nil
}

// URL returns the address for clients, such as nats://127.0.0.1:4222.
func (s *Server) URL() string { return s.nats.ClientURL() }

// Store returns the maximum size of the stored messages in bytes.
func (s *Server) Store() int64 { return s.store }

// Close ends the hub. Stored messages are kept in its folder.
func (s *Server) Close() {
	close(s.done)
	<-s.ended
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}

// Dir returns the folder in which JetStream stores messages.
func (s *Server) Dir() string { return filepath.Join(s.o.Dir, nats.JetStreamStoreDir) }
