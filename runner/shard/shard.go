package shard

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/runner/config"
)

// Most is the maximum number of shards of a run.
const Most = 1000

// Shard is one part of a run. Its zero value is a whole run.
type Shard struct {
	Index int `yaml:"index"` // from 1 to Of; 0 for a whole run
	Of    int `yaml:"of"`    // number of shards, at most Most
}

// Whole reports whether the run is not divided.
func (s Shard) Whole() bool { return s.Of == 0 }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// Has reports whether a query belongs to the shard. The number of a query's shard, from 0, is the first 8
// bytes of the SHA-256 of its id (big-endian), modulo Of. So a query's shard does not depend on the other
// queries.
func (s Shard) Has(query string) bool { return s.Whole() || IndexOf(query, s.Of) == s.Index }

// IndexOf returns the index, from 1 to of, of the shard to which a query belongs.
func IndexOf(query string, of int) int {
	sum := sha256.Sum256([]byte(query))
	return int(binary.BigEndian.Uint64(sum[:8])%uint64(of)) + 1
}

// part returns the shard's part of a number. The parts of all shards add up to the number, and differ by at most 1.
func (s Shard) part(n int) int { return n*s.Index/s.Of - n*(s.Index-1)/s.Of }

// Limits returns the shard's part of the limits of a run: running traces, at least one; requests and tokens
// per minute; the budget in tokens and dollars; and the cost above which a run asks for confirmation. A limit
// that is smaller than the number of shards is an error, because a part of 0 would mean that there is no
// limit.
func (s Shard) Limits(of config.Limits) (config.Limits, error) {
	if s.Whole() {
		return of, nil
	}
	out := of
	out.Concurrency = max(1, s.part(of.Traces()))
	for _, l := range []struct {
		key string
		n   *int
	}{{"rpm", &out.RPM}, {"tpm", &out.TPM}, {"tokens", &out.Tokens}} {
		if *l.n > 0 && *l.n < s.Of {
			return of, fmt.Errorf("limits.%s is %d, for all of %d shards: give at least %d, or take fewer shards",
				l.key, *l.n, s.Of, s.Of)
		}
		*l.n = s.part(*l.n)
	}
	out.USD, out.ConfirmUSD = of.USD/float64(s.Of), of.ConfirmUSD/float64(s.Of)
	return out, nil
}

// Share describes the shard's part of the limits of a run, for a person: "10 of 32 traces in flight, $0.5 of $2".
func (s Shard) Share(of config.Limits) (string, error) {
	part, err := s.Limits(of)
	if err != nil {
		return "", err
	}
	out := []string{fmt.Sprintf("%d of %d traces in flight", part.Concurrency, max(of.Traces(), s.Of))}
	for _, l := range []struct {
		part, of int
		what     string
	}{{part.RPM, of.RPM, "requests a minute"}, {part.TPM, of.TPM, "tokens a minute"}, {part.Tokens, of.Tokens, "tokens"}} {
		if l.of > 0 {
			out = append(out, fmt.Sprintf("%d of %d %s", l.part, l.of, l.what))
		}
	}
	if of.USD > 0 {
		out = append(out, fmt.Sprintf("$%.4g of $%.4g", part.USD, of.USD))
	}
	return strings.Join(out, ", "), nil
}

var written = lazy.Compile(`^(\d{1,9})/(\d{1,9})$`)

// Parse reads a shard as the user writes it: I/N, auto, or auto/N, where N is the number of shards. auto takes the
// shard from the variables of Slurm, GitLab or Kubernetes.
func Parse(text string, environ func(string) string) (Shard, error) {
	of, auto := strings.CutPrefix(text, "auto")
	if auto && of == "" {
		return fromEnvironment(environ, 0)
	}
	if auto {
		text = "1" + of
	}
	m := written.FindStringSubmatch(text)
	if m == nil {
		return Shard{}, fmt.Errorf("write I/N, such as 2/4, or auto, or auto/N")
	}
	var s Shard
	s.Index, _ = strconv.Atoi(m[1]) // the regular expression makes sure that these are numbers
	s.Of, _ = strconv.Atoi(m[2])
	if err := s.Check(); err != nil || !auto {
		return s, err
	}
	return fromEnvironment(environ, s.Of)
}

// Check returns an error if the shard is not one of Of shards, or Of is more than Most.
func (s Shard) Check() error {
	switch {
	case s.Of < 1 || s.Of > Most:
		return fmt.Errorf("%d shards: a run has 1 to %d", s.Of, Most)
	case s.Index < 1 || s.Index > s.Of:
		return fmt.Errorf("there is no shard %d of %d: they are counted from 1 to %d", s.Index, s.Of, s.Of)
	}
	return nil
}
