// Package storetest is for tests: it makes run folders as older versions of concur wrote them.
//
// It may import runner/store.
package storetest
