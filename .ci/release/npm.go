package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// npmSource is the folder of the npm package in the checkout.
const npmSource = "cmd/npm"

// npmPlatform returns a platform as npm names it: its os, its cpu.
func (t target) npmPlatform() (system, cpu string) {
	system, cpu = t.os, t.arch
	if system == "windows" {
		system = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	return system, cpu
}

// npmName returns the name of the package that has the binary of a platform.
func (t target) npmName() string {
	system, cpu := t.npmPlatform()
	return "@concur-eval/" + system + "-" + cpu
}

// writeNpm writes the npm package, which has no binary, and one package for each platform, as npm pack names them.
func (r *release) writeNpm(binaries []built) error {
	_, version := versions(r.version)
	licence, err := r.read("LICENSE")
	if err != nil {
		return err
	}
	common := []file{{name: "package/LICENSE", content: licence}}
	for _, b := range binaries {
		about, err := b.npmManifest(version)
		if err != nil {
			return err
		}
		binary, err := os.ReadFile(b.path)
		if err != nil {
			return err
		}
		packed, err := tarball(append([]file{
			{name: "package/package.json", content: about},
			{name: "package/bin/" + b.binary(), content: binary, executable: true},
			{name: "package/README.md",
				content: fmt.Appendf(nil, "The concur command for %s. Install concur-eval instead.\n", b.target)},
			{name: "package/THIRD-PARTY-LICENSES.txt", content: r.licences},
			{name: "package/concur.cdx.json", content: b.bom},
		}, common...), r.time, 0)
		if err != nil {
			return err
		}
		name := strings.ReplaceAll(strings.TrimPrefix(b.npmName(), "@"), "/", "-")
		if err := r.write(name+"-"+version+".tgz", packed); err != nil {
			return err
		}
	}
	files, err := r.npmFiles(version)
	if err != nil {
		return err
	}
	packed, err := tarball(append(files, common...), r.time, 0)
	if err != nil {
		return err
	}
	return r.write("concur-eval-"+version+".tgz", packed)
}

// npmManifest returns package.json of a platform's package.
func (t target) npmManifest(version string) ([]byte, error) {
	system, cpu := t.npmPlatform()
	raw, err := json.MarshalIndent(map[string]any{
		"name": t.npmName(), "version": version, "license": "Apache-2.0", "os": []string{system}, "cpu": []string{cpu},
		"description":     "The concur command for " + t.String(),
		"repository":      map[string]string{"type": "git", "url": "git+https://github.com/seed-5817661a/concur.git"},
		"preferUnplugged": true, // Yarn starts binaries only from real files
	}, "", "  ")
	return append(raw, '\n'), err
}

// npmFiles returns the files of the npm package. Its package.json gets the version, and all platforms as optional
// dependencies of just this version: npm installs the one that fits.
func (r *release) npmFiles(version string) ([]file, error) {
	var out []file
	base := os.DirFS(filepath.Join(r.root, filepath.FromSlash(npmSource)))
	err := fs.WalkDir(base, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if path == "node_modules" || path == "test" {
				return fs.SkipDir
			}
			return nil
		}
		content, err := fs.ReadFile(base, path)
		if err != nil {
			return err
		}
		if path == "package.json" {
			if content, err = published(content, version); err != nil {
				return err
			}
		}
		if path != "package-lock.json" {
			out = append(out, file{name: "package/" + path, content: content, executable: strings.HasPrefix(path, "bin/")})
		}
		return nil
	})
	return out, err
}

// published returns package.json for a version.
func published(manifest []byte, version string) ([]byte, error) {
	var about map[string]any
	if err := json.Unmarshal(manifest, &about); err != nil {
		return nil, fmt.Errorf("package.json: %w", err)
	}
	optional := map[string]string{}
	for _, t := range targets() {
		optional[t.npmName()] = version
	}
	about["version"], about["optionalDependencies"] = version, optional
	raw, err := json.MarshalIndent(about, "", "  ")
	return append(raw, '\n'), err
}
