package main

import _ "embed" // for the long texts of commands

//go:embed help/tools-list.txt
var toolsListHelp string

//go:embed help/tools-show.txt
var toolsShowHelp string

//go:embed help/tools-record.txt
var toolsRecordHelp string
