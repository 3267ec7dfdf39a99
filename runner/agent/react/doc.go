// Package react is the shipped agent: the loop of thought, action and observation over a
// model's native tool calls or as text (Yao et al. 2022, arXiv 2210.03629), with its prompt,
// its limits and its guards, and the strategies without tools that it is compared with.
//
// It may import everything beneath runner/agent, but no provider and no single tool.
package react
