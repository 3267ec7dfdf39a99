// Package linefile reads the lines of a run's JSONL files and checks them. Each line ends with the place at which it
// was written, and with a checksum. So a line that is damaged, missing, moved or from another run is found. The
// package also reads the first fields of a line, such as its query and session, without decoding the rest.
package linefile
