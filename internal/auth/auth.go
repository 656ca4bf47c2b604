// Package auth makes and checks the credentials of Octavo: API keys and signed access
// tokens. It owns their form, their lifetime, the keys that sign them and the
// encryption of an installation's secrets.
//
// It does not serve HTTP: httpapi reads credentials from requests, responds to bad ones
// and checks scopes. It does not store people or OAuth clients; accounts does.
//
//   - [Sealer] encrypts the secrets of an installation, [Vault] keeps them.
//
//   - [Keys] creates, lists and revokes API keys.
//
//   - [Refusals] records refused attempts in the audit log, in bounded space.
//
//   - [Tokens] issues access tokens, rotates the keys that sign them and
//     publishes their public halves.
//
//   - [Authenticator] returns the subject of a credential:
//
//     principal, err := authenticator.Verify(ctx, auth.Credential{Kind: auth.Bearer, Secret: text})
//
// A verified credential is cached by its SHA-256, so verifying it again takes about a
// microsecond. A token is cached until it expires. A key is read from the store again
// after [KeyRecheck].
package auth

import (
	"errors"
	"io"
	"time"
)

// Env is the clock and the source of randomness of the package.
type Env struct {
	Now    func() time.Time
	Random io.Reader
}

// CodeInvalidToken is the error code of RFC 6750 section 3.1 for a credential
// that is malformed, unknown, expired or revoked.
const CodeInvalidToken = "invalid_token"

// ErrMissing means that there was no credential. It has no code, as RFC 6750 requires.
var ErrMissing = errors.New("no credential was given")

// Error says why a credential is refused. The text may be sent to the client: it contains
// no part of the credential, and only characters that RFC 6750 section 3 allows in
// error_description.
type Error struct {
	Code        string
	Description string
}

func (e *Error) Error() string { return e.Description }

func invalid(description string) *Error {
	return &Error{Code: CodeInvalidToken, Description: description}
}
