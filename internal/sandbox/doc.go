// Package sandbox describes how a program of an author who is not trusted is run: what it gets, what bounds it, and
// how it ended. The attacker is the program: it wants to read keys and files of the user, to reach the network, to
// use up the machine's memory, processes or disk, to outlive its time, or to change what other programs see.
//
// An Engine runs jobs. The packages below this one have the engines: bwrap (bubblewrap, Linux), container (docker,
// podman, or a command of the user's). The contract between an engine and a Runner is the same for all of them:
//
//   - The interpreter is started as `python3 -I -B RUNNER SCRIPT` or `node RUNNER SCRIPT`. RUNNER and SCRIPT are
//     paths of files with the job's Runner and Script, which the program may read.
//   - Standard input has the job's Input, then ends.
//   - What the runner writes to descriptor 3 is the result. The script can write there, too: a result is a claim of
//     the script and nothing more.
//   - The working folder is empty and writable (/tmp in bwrap and containers). Its size is bounded.
//   - The environment has PATH, HOME, LANG and MALLOC_ARENA_MAX, and no variable of the user.
package sandbox
