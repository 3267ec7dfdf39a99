package shard

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestParse(t *testing.T) {
	slurm := map[string]string{"SLURM_ARRAY_TASK_ID": "17", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_STEP": "4",
		"SLURM_ARRAY_TASK_COUNT": "6"}
	gitlab := map[string]string{"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"}
	kubernetes := map[string]string{"JOB_COMPLETION_INDEX": "0"}
	with := func(of map[string]string, pairs ...string) map[string]string {
		out := map[string]string{}
		for k, v := range of {
			out[k] = v
		}
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i]] = pairs[i+1]
		}
		return out
	}
	for _, c := range []struct {
		text    string
		environ map[string]string
		want    string // the shard, or a part of the error
	}{
		{"1/1", nil, "1/1"},
		{"2/4", slurm, "2/4"},
		{"1000/1000", nil, "1000/1000"},
		{"0/4", nil, "no shard 0 of 4"},
		{"5/4", nil, "no shard 5 of 4"},
		{"1/0", nil, "0 shards"},
		{"1/1001", nil, "1001 shards"},
		{"a/b", nil, "write I/N"},
		{"", nil, "write I/N"},
		{"2", nil, "write I/N"},
		{"-1/4", nil, "write I/N"},
		{"1/99999999999999999999", nil, "write I/N"},
		{"auto", nil, "none of SLURM_ARRAY_TASK_ID (Slurm), CI_NODE_INDEX (GitLab), JOB_COMPLETION_INDEX (Kubernetes)"},
		{"auto", slurm, "4/6"},
		{"auto/6", slurm, "4/6"},
		{"auto/5", slurm, "Slurm has 6 tasks, and not 5"},
		{"auto", with(slurm, "SLURM_ARRAY_TASK_ID", "18"), "has gaps (task 18, step 4, from 5)"},
		{"auto", with(slurm, "SLURM_ARRAY_TASK_COUNT", "3"), "no shard 4 of 3"},
		{"auto", with(slurm, "SLURM_ARRAY_TASK_STEP", "", "SLURM_ARRAY_TASK_ID", "10"), "6/6"},
		{"auto", with(slurm, "SLURM_ARRAY_TASK_MIN", ""), `SLURM_ARRAY_TASK_MIN is ""`},
		{"auto", gitlab, "2/3"},
		{"auto", with(gitlab, "CI_NODE_TOTAL", "three"), `CI_NODE_TOTAL is "three"`},
		{"auto", kubernetes, "write auto/N"},
		{"auto/8", kubernetes, "1/8"},
		{"auto/8", with(kubernetes, "JOB_COMPLETION_INDEX", "8"), "no shard 9 of 8"},
		{"auto/0", kubernetes, "0 shards"},
		{"auto/x", kubernetes, "write I/N"},
		{"auto", with(gitlab, "SLURM_ARRAY_TASK_ID", "1"),
			"SLURM_ARRAY_TASK_ID (Slurm) and CI_NODE_INDEX (GitLab) are set at once"},
		{"auto/4", with(gitlab, "JOB_COMPLETION_INDEX", "1"),
			"CI_NODE_INDEX (GitLab) and JOB_COMPLETION_INDEX (Kubernetes) are set at once"},
	} {
		s, err := Parse(c.text, func(name string) string { return c.environ[name] })
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (err == nil) != (got == c.want) {
			t.Errorf("Parse(%q) with %v: %s, want %s", c.text, c.environ, got, c.want)
		}
	}
}

// The shard of a query is the documented one, computed in another way.
func TestIndexOf(t *testing.T) {
	for _, id := range []string{"q1", "capital-of-peru", "ü", ""} {
		sum := sha256.Sum256([]byte(id))
		for _, of := range []int{1, 3, 16, 1000} {
			want := new(big.Int).Mod(new(big.Int).SetBytes(sum[:8]), big.NewInt(int64(of))).Int64() + 1
			if got := IndexOf(id, of); int64(got) != want {
				t.Errorf("query %q belongs to shard %d of %d, not %d", id, want, of, got)
			}
		}
	}
}

// Every query belongs to exactly one shard, and the parts of all shards add up to the run's limits.
func TestShardsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(1, 60).Draw(t, "shards")
		id := rapid.String().Draw(t, "query")
		least := func(name string) int {
			return rapid.OneOf(rapid.Just(0), rapid.IntRange(of, 1_000_000)).Draw(t, name)
		}
		whole := config.Limits{Concurrency: least("concurrency"), RPM: least("rpm"), TPM: least("tpm"),
			Tokens: least("tokens"), USD: rapid.Float64Range(0, 100).Draw(t, "usd"), Tries: 4}
		var sum config.Limits
		homes := 0
		for i := range of {
			s := Shard{i + 1, of}
			if s.Has(id) {
				homes++
			}
			part, err := s.Limits(whole)
			if err != nil {
				t.Fatal(err)
			}
			sum.Concurrency += part.Concurrency
			sum.RPM += part.RPM
			sum.TPM += part.TPM
			sum.Tokens += part.Tokens
			sum.USD += part.USD
			if part.Tries != 4 || part.RPM == 0 && whole.RPM > 0 || part.USD == 0 && whole.USD > 0 {
				t.Fatalf("%v of %+v is %+v", s, whole, part)
			}
		}
		if homes != 1 {
			t.Fatalf("query %q belongs to %d of %d shards", id, homes, of)
		}
		if want := max(whole.Traces(), of); sum.Concurrency != want || sum.RPM != whole.RPM || sum.TPM != whole.TPM ||
			sum.Tokens != whole.Tokens || sum.USD < whole.USD*(1-1e-9) || sum.USD > whole.USD*(1+1e-9) {
			t.Fatalf("%d shards of %+v have %+v", of, whole, sum)
		}
	})
}

func TestSmallLimits(t *testing.T) {
	for key, l := range map[string]config.Limits{"rpm": {RPM: 3}, "tpm": {TPM: 3}, "tokens": {Tokens: 3}} {
		_, err := Shard{4, 4}.Limits(l)
		if err == nil || !strings.Contains(err.Error(), "limits."+key+" is 3, for all of 4 shards: give at least 4") {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

func ExampleShard_Share() {
	share, err := Shard{Index: 2, Of: 3}.Share(config.Limits{RPM: 100, USD: 2})
	fmt.Println(share, err)
	// Output: 11 of 32 traces in flight, 33 of 100 requests a minute, $0.6667 of $2 <nil>
}
