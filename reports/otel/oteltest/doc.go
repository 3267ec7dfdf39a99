// Package oteltest is for tests: it reads spans and log records with the official messages of OpenTelemetry.
package oteltest
