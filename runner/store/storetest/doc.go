// Package storetest is for tests: it makes run folders as older versions of concur wrote them.
package storetest
