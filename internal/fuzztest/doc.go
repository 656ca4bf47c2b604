// Package fuzztest runs random sequences of requests on a server, generated from the
// OpenAPI document: identifiers, entity tags, cursors and keys of earlier responses go
// into later requests, values match their schemas or nearly do, and callers of every kind
// take turns. After each request it checks what is true of any response, and compares the
// data of the server with the responses.
//
// Rules of single operations are shown by the contract scripts. The flag -seed determines
// all random choices. A failure is shortened by leaving out requests as long as it
// remains, and is printed in the language of package conform, with the responses.
//
//	go test ./internal/fuzztest -seed 7 -for 10m
package fuzztest
