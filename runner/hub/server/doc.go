// Package server is a hub: a NATS server with JetStream inside this process, through which a coordinator and its
// workers exchange traces. The command concur-hub and tests start it. No other command may import this package,
// because the server would more than double its size.
//
// Threats: anyone who can reach the address can take work, deliver results and read prompts. So an address
// outside this machine needs TLS and a token. A full disk makes JetStream stop until the server is started again.
// So the hub looks at the free space, and refuses to store messages before the disk is full.
package server
