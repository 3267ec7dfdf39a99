// Package ask makes the requests of a tool: it finds the key, evaluates the values of the file, and refuses arguments
// that would change the address or the form of a request.
package ask
