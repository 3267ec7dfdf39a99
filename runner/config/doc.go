// Package config is one complete setting of an agent and of what decides about its
// answers: the Configuration, its defaults, its validation, its canonical form and the
// agent hash.
//
// It imports nothing of ours but mechanics.
package config
