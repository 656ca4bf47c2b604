// Package fuzztest lets sequences of requests loose on a server, drawn from the
// OpenAPI document: identifiers, entity tags, cursors and keys of earlier
// answers go into later requests, values fit their schemas or nearly do, and
// callers of every kind take turns. After each request it holds what is true of
// any answer, and compares what the server keeps with what was answered.
//
// It owns no rule of a single operation; those are shown by the contract
// scripts. What is drawn follows from the flag -seed. A failure is made shorter
// by leaving requests out as long as it stays, and is printed in the language
// of package conform, with the answers that came.
//
//	go test ./internal/fuzztest -seed 7 -for 10m
package fuzztest
