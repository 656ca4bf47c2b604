package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
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

// advised is a failure with what its user can do about it.
type advised struct {
	error
	text string
}

func (a advised) Error() string { return a.text }
func (a advised) Unwrap() error { return a.error }

// inChallenge matches a parameter of a WWW-Authenticate header.
var inChallenge = regexp.MustCompile(`(error_description|scope)="([^"]*)"`)

// advise tells what to do about a failure that the address or the credential of a server
// causes, or its version.
func advise(address string, err error) error {
	said := map[string]string{}
	p, answered := errors.AsType[*client.Problem](err)
	if answered {
		for _, m := range inChallenge.FindAllStringSubmatch(p.Challenge, -1) {
			said[m[1]] = m[2]
		}
	}
	sent, unsent := errors.AsType[*url.Error](err)
	_, unread := errors.AsType[*json.SyntaxError](err)
	const itself = "--url is the address of the server itself, as in a browser but without /docs and /v1"
	text, reason := "", strings.TrimSuffix(fmt.Sprint(err), ".")
	switch {
	case answered && p.Status == http.StatusUnauthorized:
		text = fmt.Sprintf("%s does not accept the credential. %s Give another with --token or OCTAVO_TOKEN; octavo keys create makes one", address, said["error_description"])
	case answered && p.Status == http.StatusForbidden && said["scope"] != "":
		text = fmt.Sprintf("the credential lacks the scope %s, which %s requires for this. Give another with --token or OCTAVO_TOKEN; octavo keys create --scopes %[1]s makes one", said["scope"], address)
	case answered && p.Status == http.StatusNotFound, unread:
		text = fmt.Sprintf("%s is not the address of an Octavo server of version %s: %s. Check it; %s. An older server must be upgraded first", address, productVersion(), reason, itself)
	case answered && p.Status == http.StatusBadRequest:
		text = fmt.Sprintf("%s does not understand this program, which has version %s: %s. If the server is older, upgrade it, or use the program of its version", address, productVersion(), reason)
	case answered && p.Status >= http.StatusInternalServerError:
		text = fmt.Sprintf("%s has failed: %s. Try again later; the log of the server, or of the proxy before it, has more", address, reason)
	case unsent:
		text = fmt.Sprintf("no Octavo server answers at %s: %v. Check that it is running, and the address; %s", address, sent.Err, itself)
	default:
		return err
	}
	return advised{err, text}
}
