package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	build := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	for _, c := range []struct {
		what, version, commit string
		info                  *debug.BuildInfo
		wantVersion, want     string
	}{
		{"stamped", "v2.0.0", "abc", build("v1.2.3", "vcs.revision", "def"), "v2.0.0", "abc"},
		{"installed", "", "", build("v1.2.3"), "v1.2.3", "unknown"},
		{"installed from a checkout", "", "", build("v1.2.3", "vcs.revision", "def", "vcs.modified", "false"), "v1.2.3", "def"},
		{"changed checkout", "", "", build("(devel)", "vcs.revision", "def", "vcs.modified", "true"), "devel", "def, modified"},
		{"without versions", "", "", build(""), "devel", "unknown"},
		{"without information", "", "", nil, "devel", "unknown"},
	} {
		version, commit := versionOf(c.version, c.commit, c.info)
		if version != c.wantVersion || commit != c.want {
			t.Errorf("%s: %s, commit %s; want %s, commit %s", c.what, version, commit, c.wantVersion, c.want)
		}
	}
}
