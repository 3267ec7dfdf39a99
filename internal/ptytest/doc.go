// Package ptytest opens terminals for tests, on Linux. Only tests import it; it imports nothing of ours.
package ptytest
