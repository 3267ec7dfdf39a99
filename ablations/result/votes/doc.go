// Package votes counts the queries of a run by the results of their traces: how many traces gave each answer of the
// vote, and how many are right. Queries with equal numbers form one pattern, so that a run of many queries has few.
package votes
