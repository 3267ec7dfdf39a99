// Package advise gives an agent the bullets of a playbook before its first turn, as a
// session.Source. It changes nothing in the playbook: all traces of a run see the same.
package advise
