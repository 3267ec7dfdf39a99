// Package confine runs agents and MCP servers of the user in bubblewrap: programs that stay for a while, read standard
// input and write standard output, and may call models through concur's proxy and reach nothing else but the hosts
// that the user names.
//
// The attacker is such a program: it may have read a page that tells it to send keys away, or to change files.
//
// Two processes of concur's own binary are around it. The launcher, outside, gives up root, starts bubblewrap, and
// kills the first process of the namespace when concur ends the launcher. The first process inside is a forwarder: it
// listens on the address of the proxy, which is free in the new network namespace, so that addresses in requests and
// variables stay right. It sends each connection, as a descriptor, to the launcher, which copies between it and the
// proxy. No socket file is needed, and nothing else of the machine's network can be reached. For hosts
// that the user names there is a second address, of an HTTP proxy in the launcher (gateway). The forwarder starts the
// program, waits for its orphans, passes signals on, and ends with its exit code.
package confine
