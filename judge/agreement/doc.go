// Package agreement measures how reliable judges are, from their verdicts on answers that people labelled:
// sensitivity and specificity, kappa, AC1 and alpha, thresholds, and the number of independent votes that
// several judges are worth. [Calibrate] asks a judge; [ReadRecording] reads recorded verdicts.
package agreement
