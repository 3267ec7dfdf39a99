package main

import (
	"regexp"
	"strconv"
)

// described matches the output of git describe: a tag with a version, the number of commits after it, the commit.
var described = regexp.MustCompile(
	`^v?(\d+)\.(\d+)\.(\d+)(?:-(alpha|beta|rc)\.?(\d+))?(?:-(\d+)-g([0-9a-f]+))?(-dirty)?$`)

// bare matches the output of git describe in a repository without tags.
var bare = regexp.MustCompile(`^([0-9a-f]{7,40})(-dirty)?$`)

// versions returns a version as Python (PEP 440) and npm (Semantic Versioning) write it. A commit after a tag is a
// development version of the next patch, so that it is newer than the tag.
func versions(description string) (python, npm string) {
	if m := bare.FindStringSubmatch(description); m != nil {
		return "0.0.0.dev0+g" + m[1] + local(m[2]), "0.0.0-dev.0.g" + m[1] + identifier(m[2])
	}
	m := described.FindStringSubmatch(description)
	if m == nil {
		return "0.0.0.dev0", "0.0.0-dev.0"
	}
	python, npm = m[1]+"."+m[2]+"."+m[3], m[1]+"."+m[2]+"."+m[3]
	switch {
	case m[4] != "":
		python += map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[4]] + m[5]
		npm += "-" + m[4] + "." + m[5]
		if m[6] != "" {
			python, npm = python+".dev"+m[6]+"+g"+m[7]+local(m[8]), npm+".dev."+m[6]+".g"+m[7]+identifier(m[8])
			return python, npm
		}
	case m[6] != "":
		patch, _ := strconv.Atoi(m[3]) // digits only; a number that is too large gives the largest
		next := m[1] + "." + m[2] + "." + strconv.Itoa(patch+1)
		return next + ".dev" + m[6] + "+g" + m[7] + local(m[8]), next + "-dev." + m[6] + ".g" + m[7] + identifier(m[8])
	}
	if m[8] != "" {
		python, npm = python+"+dirty", npm+"+dirty"
	}
	return python, npm
}

// local returns the last part of a local version of Python, for a checkout with changes.
func local(dirty string) string {
	if dirty == "" {
		return ""
	}
	return ".dirty"
}

// identifier returns the last identifier of a pre-release of npm, for a checkout with changes.
func identifier(dirty string) string { return local(dirty) }
