package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

const (
	imageUser = 65532    // the user without rights in the images of Distroless
	maxImage  = 25 << 20 // bytes of an image as it is sent
)

// Media types of the OCI image specification 1.1.
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// descriptor names a blob of an image.
type descriptor struct {
	Type        string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// layout is an OCI image layout in progress: its blobs, by digest.
type layout map[string][]byte

func (l layout) add(mediaType string, content []byte) descriptor {
	digest := digestOf(content)
	l[digest] = content
	return descriptor{Type: mediaType, Digest: "sha256:" + digest, Size: len(content)}
}

func (l layout) addJSON(mediaType string, value any) (descriptor, error) {
	raw, err := json.Marshal(value)
	return l.add(mediaType, raw), err
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// writeImages writes an OCI image layout as a tar file for each Linux platform. docker load and podman load read it,
// and it needs no daemon to be made.
func (r *release) writeImages(binaries []built) error {
	for _, b := range binaries {
		if b.os != "linux" {
			continue
		}
		binary, err := os.ReadFile(b.path)
		if err != nil {
			return err
		}
		content, err := r.image(b.target, binary)
		if err != nil {
			return err
		}
		if len(content) > maxImage {
			return fmt.Errorf("the image for %s has %d bytes: it may have %d", b.target, len(content), maxImage)
		}
		if err := r.write("concur-"+r.version+"-image-"+b.arch+".tar", content); err != nil {
			return err
		}
	}
	return nil
}

// image returns the image of a platform: the binary, certificates of authorities, and folders to write to.
func (r *release) image(t target, binary []byte) ([]byte, error) {
	system := []file{
		{name: "usr/local/bin/concur", content: binary, executable: true},
		{name: "etc/ssl/certs/ca-certificates.crt", content: authorities()},
		{name: "etc/passwd", content: []byte("root:x:0:0:root:/:/sbin/nologin\n" +
			"concur:x:65532:65532:concur:/home/concur:/sbin/nologin\n")},
		{name: "etc/group", content: []byte("root:x:0:\nconcur:x:65532:\n")},
		{name: "usr/share/doc/concur/THIRD-PARTY-LICENSES.txt", content: r.licences},
		{name: "tmp/", mode: 0o1777},
	}
	own := []file{{name: "work/"}, {name: "home/concur/"}}
	blobs := layout{}
	var layers []descriptor
	var plain []string
	for _, part := range []struct {
		files []file
		owner int
	}{{system, 0}, {own, imageUser}} {
		content, err := plainTar(part.files, r.time, part.owner)
		if err != nil {
			return nil, err
		}
		packed, err := zipped(content)
		if err != nil {
			return nil, err
		}
		plain, layers = append(plain, "sha256:"+digestOf(content)), append(layers, blobs.add(typeLayer, packed))
	}
	config, err := blobs.addJSON(typeConfig, map[string]any{
		"created": r.time.Format(time.RFC3339), "architecture": t.arch, "os": t.os,
		"rootfs": map[string]any{"type": "layers", "diff_ids": plain},
		"config": map[string]any{
			"User": fmt.Sprintf("%d:%d", imageUser, imageUser), "WorkingDir": "/work",
			"Entrypoint": []string{"/usr/local/bin/concur"},
			"Env":        []string{"PATH=/usr/local/bin", "HOME=/home/concur"},
			"Labels": map[string]string{
				"org.opencontainers.image.source":   "https://github.com/seed-5817661a/concur",
				"org.opencontainers.image.revision": r.commit, "org.opencontainers.image.version": r.version,
				"org.opencontainers.image.licenses": "Apache-2.0",
			},
		},
	})
	if err != nil {
		return nil, err
	}
	manifest, err := blobs.addJSON(typeManifest, map[string]any{
		"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": layers,
	})
	if err != nil {
		return nil, err
	}
	manifest.Platform = map[string]string{"os": t.os, "architecture": t.arch}
	manifest.Annotations = map[string]string{"org.opencontainers.image.ref.name": r.version}
	return r.pack(blobs, manifest, config, layers)
}

// pack returns an image layout as a tar file. manifest.json is the same image in the form that older versions of docker
// load read.
func (r *release) pack(blobs layout, manifest, config descriptor, layers []descriptor) ([]byte, error) {
	index, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": typeIndex, "manifests": []descriptor{manifest},
	})
	if err != nil {
		return nil, err
	}
	blob := func(d descriptor) string { return "blobs/sha256/" + d.Digest[len("sha256:"):] }
	var names []string
	for _, d := range layers {
		names = append(names, blob(d))
	}
	docker, err := json.Marshal([]map[string]any{{
		"Config": blob(config), "RepoTags": []string{"concur:" + r.version}, "Layers": names,
	}})
	if err != nil {
		return nil, err
	}
	files := []file{
		{name: "oci-layout", content: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{name: "index.json", content: index}, {name: "manifest.json", content: docker},
	}
	for digest, content := range blobs {
		files = append(files, file{name: "blobs/sha256/" + digest, content: content})
	}
	return plainTar(files, r.time, 0)
}

// authorities returns the certificates of Mozilla's authorities, as programs on Linux read them. Authorities that
// Mozilla trusts only for some certificates are left out, because this file cannot say so.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes everything
		}
	}
	return out.Bytes()
}
