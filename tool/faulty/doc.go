// Package faulty makes tools fail on purpose, so that one can measure how an agent continues after a failure.
package faulty
