// Package sending describes the differences between what the agents of two runs sent to their models.
package sending
