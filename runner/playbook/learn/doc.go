// Package learn makes playbooks of finished runs: reflectors read a run and propose operations,
// and Update applies them to a file that several processes may change at once.
//
// It works on finished runs only and never on an agent's path. It may import runner/playbook, runner/store, datasets
// and internal/stats, and internal/asking for the reflector that asks a model.
package learn
