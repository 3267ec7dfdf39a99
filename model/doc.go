// Package model defines the interface of language models: messages, requests and their identity, responses,
// usage and typed errors.
//
// It contains no provider and imports no package of this module, so a provider in another repository needs
// only this package.
package model
