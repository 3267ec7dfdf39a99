package result_test

import (
	"encoding/json"
	"testing"

	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/runner/store"
)

func indented(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw) + "\n"
}

// A running, an empty and a whole run have the same fields: undefined is null, and what
// is empty is an empty list or object.
func TestResultAsJSON(t *testing.T) {
	golden.Check(t, "testdata/mixed.json", indented(t, summarize(t, manifest(5, 3, "default"), mixed()...)))

	empty := manifest(0, 1, "default")
	empty.State, empty.End, empty.Dataset.Categories = store.Interrupted, nil, nil
	golden.Check(t, "testdata/empty.json", indented(t, summarize(t, empty)))
}

// The fields of summary.json that programs rely on, as a program would look them up.
func TestEveryDocumentedFieldIsThere(t *testing.T) {
	documented := map[string][]string{
		"":        {"ablation", "baseline", "comparisons", "configurations", "dataset", "family", "run", "schema", "state", "versions", "warnings"},
		"dataset": {"hash", "name", "queries"},
		"row": {
			"agent", "bounds", "by_category", "ci", "clustered", "confidence", "consensus", "counts", "efficiency", "judge",
			"k", "k_curve", "model", "name", "no_k_curve", "note", "pass_rate", "reliability", "timing", "traces", "usage",
		},
		"counts":    {"correct", "incorrect", "queries", "unscored"},
		"ci":        {"high", "level", "low", "method"},
		"judge":     {"correctness_model", "correctness_pass_rate", "quality_mean", "quality_model", "quality_pass_rate", "threshold"},
		"consensus": {"mean_agreement", "methods"},
		"traces":    {"outcomes", "stop_reasons", "total"},
		"usage":     {"cached_tokens", "input_tokens", "model_calls", "output_tokens", "tool_calls", "usd"},
		"timing":    {"calls_sent", "trace_p50_s", "trace_p95_s", "wall_s"},
	}
	for name, manifest := range map[string]store.Manifest{"mixed": manifest(5, 3, "default"), "empty": manifest(0, 3, "default")} {
		records := mixed()[:manifest.Dataset.Queries]
		var doc map[string]any
		if err := json.Unmarshal([]byte(indented(t, summarize(t, manifest, records...))), &doc); err != nil {
			t.Fatal(err)
		}
		row := doc["configurations"].([]any)[0].(map[string]any)
		for part, fields := range documented {
			object := row
			switch part {
			case "":
				object = doc
			case "dataset":
				object = doc["dataset"].(map[string]any)
			case "row":
			case "ci":
				if name == "empty" { // null, as all figures without queries
					if v, there := row["ci"]; v != nil || !there {
						t.Errorf("%s: ci is %v, want null", name, v)
					}
					continue
				}
				object = row[part].(map[string]any)
			default:
				object = row[part].(map[string]any)
			}
			for _, f := range fields {
				if _, ok := object[f]; !ok {
					t.Errorf("%s: %q lacks %s", name, part, f)
				}
			}
		}
		for _, list := range []string{"configurations", "comparisons", "warnings"} {
			if _, ok := doc[list].([]any); !ok {
				t.Errorf("%s: %s is %v, want a list", name, list, doc[list])
			}
		}
		if doc["schema"] != "concur/summary/v1" {
			t.Errorf("%s: schema %v", name, doc["schema"])
		}
	}
}
