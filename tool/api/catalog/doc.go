// Package catalog has the tools that concur ships as YAML files, one file for each service. Package tool/api reads such
// files. The package has the texts alone, so that names can be checked without reading a file.
package catalog
