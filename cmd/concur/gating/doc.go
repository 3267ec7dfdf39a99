// Package gating has the commands that decide whether an agent became worse: gate and its simulation, baseline, and
// score, which gates recorded answers.
package gating
