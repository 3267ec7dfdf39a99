// Package react is the shipped agent: the loop of thought, action and observation over a
// model's native tool calls or as text (Yao et al. 2022, arXiv 2210.03629), with its prompt,
// and strategies without tools for comparison. Package session does what all loops share.
//
// It may import everything beneath runner/agent, but no provider and no specific tool.
package react
