// Package ranking asks an agent's model which of several texts help to answer the question, in a side request.
package ranking
