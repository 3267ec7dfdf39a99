// Package reply judges the replies of a service: which failure a reply reports, whether it says that nothing was found,
// and what it gives. A reply that does none of these is malformed, and never "nothing found".
package reply
