package scratch

import "io/fs"

// private reports whether a folder belongs to the user of this process. On Windows, each user has a folder of its own
// for temporary files.
func private(fs.FileInfo) bool { return true }
