// Package learning has the commands for what agents are given from earlier runs: playbook and memory.
package learning
