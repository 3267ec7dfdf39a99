// Package planner is the planner tool: it turns a goal into a list of steps with hints which tool to use and what to
// give it, by stated rules and without a language model. The same goal and tools always give the same plan, and a
// plan never names a tool that is not there. What it knows of English is in the tables beside this file.
package planner
