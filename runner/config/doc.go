// Package config holds the settings of an agent and of the evaluation of its answers: the
// Configuration, its defaults, its validation, its canonical form and the agent hash.
//
// It imports only helper packages of this module.
package config
