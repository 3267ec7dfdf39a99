// Package agreement says how far judges can be believed, from their verdicts on answers that people labelled:
// sensitivity and specificity, kappa, AC1 and alpha, thresholds, and how many independent votes several judges are
// worth. [Calibrate] asks a judge; [ReadRecording] reads verdicts that are there already.
package agreement
