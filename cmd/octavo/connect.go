package main

import (
	"strings"

	"github.com/octavo-docs/octavo/client"
)

// connect returns a client of the server at an address, for the named command.
// The credential is an API key or an access token.
func connect(address, credential, command string, more ...client.Option) (*client.Client, error) {
	as := client.WithToken(credential)
	if strings.HasPrefix(credential, "oct_") {
		as = client.WithAPIKey(credential)
	}
	api, err := client.New(address, append(more, as, client.WithUserAgent("octavo-"+command))...)
	if err != nil {
		return nil, usageError{err}
	}
	return api, nil
}
