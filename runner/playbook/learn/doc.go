// Package learn makes playbooks of finished runs: reflectors read a run and propose operations,
// and Update applies them to a file that several processes may change at once.
//
// It works on finished runs only and never on an agent's path.
package learn
