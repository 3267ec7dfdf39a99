// Package learn creates playbooks from finished runs: reflectors read a run and propose operations, and Update
// applies them to a file that several processes may change at once.
package learn
