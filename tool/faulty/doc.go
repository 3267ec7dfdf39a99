// Package faulty lets tools fail on purpose, so that it can be measured how an agent goes on after a failure.
package faulty
