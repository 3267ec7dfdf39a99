// Package planner implements the planner tool. It turns a goal into a list of steps, with hints which tool to
// use and what input to give it. It uses fixed rules and no language model: the same goal and tools always
// give the same plan, and a plan names only tools that exist. Its knowledge of English is in the tables in
// this folder, except a few auxiliary words in tables.go and in the method expand.
package planner
