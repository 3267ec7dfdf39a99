// Package dotenv reads files of environment variables, such as .env. It is strict: a line with two readings is an
// error with its file and line. No error shows a value.
package dotenv
