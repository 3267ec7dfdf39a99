// Package kinds knows the kinds of tools that a configuration can declare. It reads the settings of declared tools,
// moves the paths in them, and declares the tools that built-in datasets need. It opens no tool.
//
// To add a kind, write a package with a tool.Kind, and add it to the list in listAll.
package kinds
