package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// bill is a list of components, as CycloneDX 1.6 (ECMA-424).
type bill struct {
	Format     string       `json:"bomFormat"`
	Spec       string       `json:"specVersion"`
	Serial     string       `json:"serialNumber"`
	Version    int          `json:"version"`
	Metadata   metadata     `json:"metadata"`
	Components []component  `json:"components"`
	Depends    []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Purl     string    `json:"purl"`
	Licences []licence `json:"licenses,omitempty"`
}

type licence struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type dependency struct {
	Ref     string   `json:"ref"`
	Depends []string `json:"dependsOn"`
}

// billOf lists the modules that are linked into a command, and the standard library, from Go's build information.
func (r *release) billOf(name string, info *debug.BuildInfo) ([]byte, error) {
	own := component{Type: "application", Name: name, Version: r.version, Purl: packageURL(info.Main.Path, r.version)}
	own.Ref, own.Licences = own.Purl, make([]licence, 1)
	own.Licences[0].Licence.ID = "Apache-2.0"
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{r.time.Format(time.RFC3339), own}}
	var refs []string
	for _, m := range append(info.Deps, &debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")}) {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component{Type: "library", Name: m.Path, Version: m.Version, Purl: packageURL(m.Path, m.Version)}
		c.Ref = c.Purl
		refs, b.Components = append(refs, c.Ref), append(b.Components, c)
	}
	slices.SortFunc(b.Components, func(x, y component) int { return strings.Compare(x.Ref, y.Ref) })
	slices.Sort(refs)
	b.Depends = []dependency{{own.Ref, refs}}
	for _, ref := range refs {
		b.Depends = append(b.Depends, dependency{ref, []string{}})
	}
	raw, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return nil, err
	}
	b.Serial = serial(raw)
	raw, err = json.MarshalIndent(b, "", "  ")
	return append(raw, '\n'), err
}

// packageURL returns the package URL of a Go module.
func packageURL(path, version string) string {
	return "pkg:golang/" + path + "@" + url.QueryEscape(version)
}

// serial returns a UUID of version 8 (RFC 9562) that depends only on the content.
func serial(content []byte) string {
	sum := sha256.Sum256(content)
	id := sum[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	text := hex.EncodeToString(id)
	return fmt.Sprintf("urn:uuid:%s-%s-%s-%s-%s", text[:8], text[8:12], text[12:16], text[16:20], text[20:])
}
