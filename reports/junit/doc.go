// Package junit writes suites of test cases as JUnit XML, in the form that Jenkins, GitLab and Surefire read.
package junit
