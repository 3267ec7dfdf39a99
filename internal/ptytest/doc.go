// Package ptytest opens terminals for tests, on Linux. Only tests import it; it imports no package of this
// module.
package ptytest
