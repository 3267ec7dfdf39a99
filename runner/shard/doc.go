// Package shard divides a run over several machines: which queries are a shard's, which part of the run's limits it
// may use, and which shard a task of Slurm, GitLab or Kubernetes is.
package shard
