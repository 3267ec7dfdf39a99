package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/x509"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// tarFiles returns the contents and headers of a tar file.
func tarFiles(t *testing.T, in io.Reader) (map[string][]byte, map[string]*tar.Header) {
	t.Helper()
	contents, headers := map[string][]byte{}, map[string]*tar.Header{}
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if err == io.EOF {
			return contents, headers
		} else if err != nil {
			t.Fatal(err)
		}
		headers[h.Name] = h
		if contents[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

func TestImage(t *testing.T) {
	r, binaries := newRelease(t, targets()...)
	if err := r.writeImages(binaries); err != nil {
		t.Fatal(err)
	}
	files := filesOf(t, r)
	if len(files) != 2 {
		t.Errorf("there are %d images, want those of Linux", len(files))
	}
	parts, _ := tarFiles(t, bytes.NewReader(files["concur-v1.2.3-image-arm64.tar"]))
	read := func(name string, into any) {
		t.Helper()
		if err := json.Unmarshal(parts[name], into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	blob := func(d descriptor) string { return "blobs/sha256/" + strings.TrimPrefix(d.Digest, "sha256:") }
	var index struct{ Manifests []descriptor }
	read("index.json", &index)
	if len(index.Manifests) != 1 || index.Manifests[0].Platform["architecture"] != "arm64" {
		t.Fatalf("index.json: %+v", index)
	}
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	read(blob(index.Manifests[0]), &manifest)
	for _, d := range append(manifest.Layers, manifest.Config, index.Manifests[0]) {
		if content := parts[blob(d)]; len(content) != d.Size || "sha256:"+digestOf(content) != d.Digest {
			t.Errorf("the blob %s has %d bytes and is not that of its descriptor", d.Digest, len(content))
		}
	}
	var config struct {
		Architecture string
		Rootfs       struct {
			DiffIDs []string `json:"diff_ids"`
		}
		Config struct {
			User       string
			WorkingDir string
		}
	}
	read(blob(manifest.Config), &config)
	if config.Architecture != "arm64" || config.Config.User != "65532:65532" || config.Config.WorkingDir != "/work" {
		t.Errorf("the configuration: %+v", config)
	}
	var docker []struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	read("manifest.json", &docker)
	if docker[0].Config != blob(manifest.Config) || docker[0].RepoTags[0] != "concur:v1.2.3" ||
		len(docker[0].Layers) != 2 {
		t.Errorf("manifest.json: %+v", docker)
	}
	all := map[string]*tar.Header{}
	for i, layer := range manifest.Layers {
		z, err := gzip.NewReader(bytes.NewReader(parts[blob(layer)]))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if "sha256:"+digestOf(content) != config.Rootfs.DiffIDs[i] {
			t.Errorf("the digest of layer %d without compression is wrong", i)
		}
		contents, headers := tarFiles(t, bytes.NewReader(content))
		for name, h := range headers {
			all[name] = h
		}
		if binary := contents["usr/local/bin/concur"]; i == 0 && string(binary) != "binary of linux/arm64" {
			t.Errorf("the binary is %q", binary)
		}
	}
	for name, want := range map[string]struct {
		uid  int
		mode int64
	}{
		"usr/local/bin/concur": {0, 0o755}, "tmp/": {0, 0o1777},
		"work/": {imageUser, 0o755}, "home/concur/": {imageUser, 0o755},
		"etc/passwd": {0, 0o644},
	} {
		if h := all[name]; h == nil || h.Uid != want.uid || h.Mode != want.mode {
			t.Errorf("%s: %+v, want %+v", name, h, want)
		}
	}
}

func TestAuthorities(t *testing.T) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authorities()) {
		t.Fatal("the certificates cannot be read")
	}
	if n := bytes.Count(authorities(), []byte("BEGIN CERTIFICATE")); n < 80 {
		t.Errorf("there are %d authorities", n)
	}
}
