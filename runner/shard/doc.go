// Package shard divides a run among several machines. It determines which queries belong to a shard, which
// part of the run's limits it may use, and the shard of a task of Slurm, GitLab or Kubernetes.
package shard
