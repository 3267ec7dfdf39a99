package config

import (
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
)

// Differences lists the settings in which two configurations differ, by their dotted keys
// as in concur.yaml: "k: 3, now 5".
func Differences(made, now Configuration) []string {
	a, b := Settings(made), Settings(now)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	var out []string
	for _, key := range slices.Compact(keys) {
		if a[key] != b[key] {
			out = append(out, fmt.Sprintf("%s: %s, now %s", key, a[key], b[key]))
		}
	}
	return out
}

// Settings gives every setting by its dotted key, as in concur.yaml.
func Settings(c Configuration) map[string]string {
	raw, err := yaml.Marshal(c)
	if err != nil { // cannot happen: all values are plain
		panic(fmt.Sprintf("encode configuration: %v", err))
	}
	var tree map[string]any
	if err := yaml.Unmarshal(raw, &tree); err != nil {
		panic(fmt.Sprintf("decode configuration: %v", err))
	}
	out := map[string]string{}
	flatten("", tree, out)
	out["consensus.quorum"] = string(QuorumMajority) // the default is not written
	if !c.Consensus.Quorum.IsZero() {
		out["consensus.quorum"] = string(c.Consensus.Quorum)
	}
	return out
}

func flatten(prefix string, tree map[string]any, out map[string]string) {
	for key, value := range tree {
		if inner, ok := value.(map[string]any); ok {
			flatten(prefix+key+".", inner, out)
			continue
		}
		out[prefix+key] = fmt.Sprint(value)
	}
}
