// Package child runs parts of this program in processes of their own, which can be ended by force: code of others,
// such as a database engine or an interpreter, may not return when it is asked to, and may need more memory than
// the machine has.
//
// A package whose work needs a child registers it with Main in an init function. A child is the same executable
// with the environment variable CONCUR_CHILD, which names the work. Therefore a child also works in tests and in
// other programs that import the package. A Pool starts children, keeps them between questions, and kills a child
// that does not answer in time.
package child
