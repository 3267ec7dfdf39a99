// Package storetest makes run folders in the form of older versions of concur, for tests.
package storetest
