package main

import "os"

// writeHubs writes an archive with the hub for each platform: the binary, its licences and components. The hub is in
// no wheel, npm package or image, since most users need none.
func (r *release) writeHubs(platforms []built) error {
	licences, err := r.readLicences(hub)
	if err != nil {
		return err
	}
	for _, p := range platforms {
		b, err := r.build(p.target, hub)
		if err != nil {
			return err
		}
		if err := r.writeHub(b, licences); err != nil {
			return err
		}
	}
	return nil
}

// writeHub writes the archive of one platform.
func (r *release) writeHub(b built, licences []byte) error {
	content, err := os.ReadFile(b.path)
	if err != nil {
		return err
	}
	own, err := r.read("LICENSE")
	if err != nil {
		return err
	}
	folder := hub + "-" + r.version + "-" + b.os + "-" + b.arch
	packed, err := tarball([]file{
		{name: folder + "/" + b.binaryOf(hub), content: content, executable: true},
		{name: folder + "/LICENSE", content: own},
		{name: folder + "/THIRD-PARTY-LICENSES.txt", content: licences},
		{name: folder + "/concur-hub.cdx.json", content: b.bom},
	}, r.time, 0)
	if err != nil {
		return err
	}
	return r.write(folder+".tar.gz", packed)
}
