// Package sureness finds how sure a model says it is: it takes the model's reply to the confidence check from the
// events of a trace, and reads the percentage in it.
package sureness
