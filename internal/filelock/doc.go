// Package filelock locks files. The system releases a lock when its process ends, also if the process is killed.
package filelock
