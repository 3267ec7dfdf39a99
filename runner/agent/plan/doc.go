// Package plan is the loop of planned rounds, as RAGFlow's agent had it: the task is analysed, in each round the
// model names the next calls, which run side by side, and reflects on their results, until it completes the task and
// the final answer is written. Analysis, reflection and synthesis can be switched off (agent.analysis, reflection,
// synthesis). r rounds of calls cost 2r + 3 model calls.
//
// Package session does what all loops share. It may import what package react may.
package plan
