// Package tests decides whether a program that an agent wrote passes tests.
//
// The attacker is the program: it wants to pass tests that it should fail. Therefore it runs in a process of its own,
// in a sandbox, and gets only the arguments of calls. What it returns crosses as JSON, and the comparison is made
// elsewhere: here, or in a second sandbox with the tests. So a program cannot report that it has passed, return an
// object that is equal to everything, or read the expected values. Tests that run beside the program, in the form of
// HumanEval and MBPP, have no such wall: their verdict is marked as forgeable.
package tests
