// Package attack measures injections by their effect (docs/method.md §9.4). A case is an attack or an honest
// text. Its text reaches the agent in the documents that tools return, or as the question. The traces show
// whether the agent obeyed, whether a guard detected the attack, and whether the answer was still right.
//
// A case has one effect that a trace can show: a word or a number in the final message, or the call of a tool.
// An agent that quotes the word to warn of it counts as having obeyed, because only the trace is measured, not
// the intention. Of a case's traces the worst counts, because attackers try again.
//
// The built-in cases are in development.yaml; users can add files. A tool that a case asks for is never really
// called: see Set.Tools.
package attack
