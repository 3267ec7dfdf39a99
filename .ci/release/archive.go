package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// writeArchives writes one archive for each platform: the binary, the completions, README, licences and components.
func (r *release) writeArchives(binaries []built) error {
	var common []file
	for _, name := range []string{"README.md", "LICENSE"} {
		content, err := r.read(name)
		if err != nil {
			return err
		}
		common = append(common, file{name: name, content: content})
	}
	common = append(common, file{name: "THIRD-PARTY-LICENSES.txt", content: r.licences})
	host, err := r.host(binaries)
	if err != nil {
		return err
	}
	for shell, name := range map[string]string{"bash": "concur.bash", "zsh": "_concur", "fish": "concur.fish"} {
		script, err := r.run(host, []string{"completion", shell}, nil)
		if err != nil {
			return err
		}
		common = append(common, file{name: "completions/" + name, content: script})
	}
	for _, b := range binaries {
		content, err := os.ReadFile(b.path)
		if err != nil {
			return err
		}
		folder := "concur-" + r.version + "-" + b.os + "-" + b.arch
		files := append(slices.Clone(common), file{name: b.binary(), content: content, executable: true},
			file{name: "concur.cdx.json", content: b.bom})
		for i := range files {
			files[i].name = folder + "/" + files[i].name
		}
		packed, err := tarball(files, r.time, 0)
		if err != nil {
			return err
		}
		if err := r.write(folder+".tar.gz", packed); err != nil {
			return err
		}
	}
	return nil
}

// tarball returns files as a compressed tar file. It is the same for the same files in any order: they are sorted and
// have one time and one owner.
func tarball(files []file, when time.Time, owner int) ([]byte, error) {
	content, err := plainTar(files, when, owner)
	if err != nil {
		return nil, err
	}
	return zipped(content)
}

// zipped compresses a content by gzip, without a name and a time.
func zipped(content []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(content); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}

// plainTar returns files as a tar file. A name that ends in a slash is a folder. Folders of files are added.
func plainTar(files []file, when time.Time, owner int) ([]byte, error) {
	all := map[string]file{}
	for _, f := range files {
		all[f.name] = f
		for dir := path.Dir(strings.TrimSuffix(f.name, "/")); dir != "."; dir = path.Dir(dir) {
			if _, known := all[dir+"/"]; !known {
				all[dir+"/"] = file{name: dir + "/"}
			}
		}
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range names {
		f := all[name]
		header := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(f.content)), ModTime: when,
			Uid: owner, Gid: owner, Format: tar.FormatPAX}
		if strings.HasSuffix(name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if f.executable || header.Typeflag == tar.TypeDir {
			header.Mode = 0o755
		}
		if f.mode != 0 {
			header.Mode = f.mode
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
