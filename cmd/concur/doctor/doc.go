// Package doctor tries what a configuration needs: its models, its keys and its search.
package doctor
