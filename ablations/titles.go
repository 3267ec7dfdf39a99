package ablations

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Limits on the settings in a title: their number, and the characters of a value.
const (
	maxSettings = 2
	maxValue    = 24
)

// tellApart returns titles for two configurations, one of each run. If both would have the same title, the
// titles name a difference: the files of their prompts, one or two settings, or the seed. If these are all the
// same, the titles are the letters of the runs.
func tellApart(runs [2]store.Manifest, at [2]int) (titles [2]string) {
	var confs [2]store.Configuration
	for i, m := range runs {
		titles[i], confs[i] = naming.Titles(m)[at[i]], m.Configurations[at[i]]
	}
	if titles[0] != titles[1] {
		return titles
	}
	marks := [2]string{}
	for _, differing := range []func() [2]string{
		func() [2]string { return promptFiles(runs[0].Agents[confs[0].Agent], runs[1].Agents[confs[1].Agent]) },
		func() [2]string { return settingsOf(confs) },
		func() [2]string {
			if confs[0].Agent != confs[1].Agent { // otherwise the seed may be the reason for a difference
				return [2]string{}
			}
			return [2]string{fmt.Sprintf("seed %d", runs[0].Seed), fmt.Sprintf("seed %d", runs[1].Seed)}
		},
	} {
		if marks = differing(); marks[0] != marks[1] {
			return [2]string{cmp.Or(marks[0], titles[0]), cmp.Or(marks[1], titles[1])}
		}
	}
	if confs[0].Name == config.DefaultName {
		return [2]string{label(0), label(1)}
	}
	return [2]string{label(0) + ": " + titles[0], label(1) + ": " + titles[1]}
}

// promptFiles returns the files of the prompts of both sides, if they differ. It is "" for a side whose prompts
// are not from a file.
func promptFiles(was, now store.AgentFacts) (out [2]string) {
	for _, name := range slices.Sorted(maps.Keys(was.Prompts)) {
		a, b := was.Prompts[name], now.Prompts[name]
		if b == "" || a == b || out[0] != "" {
			continue
		}
		out = [2]string{filepath.Base(a), filepath.Base(b)}
		if out[0] == out[1] {
			out = [2]string{a, b}
		}
	}
	return out
}

// settingsOf returns the settings in which two configurations differ, such as k=3. It returns "" if they are
// too many or too long.
func settingsOf(confs [2]store.Configuration) [2]string {
	var texts [2][]string
	was, now := config.Settings(confs[0].Effective()), config.Settings(confs[1].Effective())
	keys := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(now))
	slices.Sort(keys)
	differing := 0
	for _, key := range slices.Compact(keys) {
		if was[key] == now[key] || strings.HasPrefix(key, "limits.") || key == "prices" {
			continue
		}
		differing++
		name := key[strings.LastIndexByte(key, '.')+1:]
		if more, fewer, subset := lacking(was[key], now[key]); subset {
			texts[0], texts[1] = append(texts[0], more), append(texts[1], fewer)
			continue
		}
		for i, value := range []string{was[key], now[key]} {
			if differing > maxSettings || len(value) > maxValue {
				return [2]string{}
			}
			if value != "" { // "" is the default
				texts[i] = append(texts[i], name+"="+value)
			}
		}
	}
	return [2]string{strings.Join(texts[0], ", "), strings.Join(texts[1], ", ")}
}

// lacking returns titles for two settings that are lists, where one list contains the other. The title of the
// longer list has its additional elements. The title of the shorter list has "no " and these elements. subset
// is false if neither list contains the other, or if the titles are too long.
func lacking(was, now string) (of, other string, subset bool) {
	a, listed := elements(was)
	b, too := elements(now)
	if !listed || !too {
		return "", "", false
	}
	without := func(list, of []string) string {
		left := slices.DeleteFunc(slices.Clone(list), func(e string) bool { return slices.Contains(of, e) })
		return strings.Join(left, ", ")
	}
	more, fewer := without(a, b), without(b, a)
	switch {
	case more == "" && fewer == "", more != "" && fewer != "", len(more+fewer) > maxValue:
		return "", "", false
	case more != "":
		return more, "no " + more, true
	}
	return "no " + fewer, fewer, true
}

// elements returns the elements of a setting that is a list; ok is false for other settings.
func elements(setting string) ([]string, bool) {
	inner, open := strings.CutPrefix(setting, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	return strings.Fields(inner), open && closed
}
