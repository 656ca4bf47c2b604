package issuers

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/octavo-docs/octavo"
)

// How the keys of an issuer are cached.
const (
	// MaxAge is how long keys are used if they cannot be read again, and so how long a
	// withdrawn key may be accepted.
	MaxAge = 24 * time.Hour

	refreshAge = 5 * time.Minute  // from which Refresh reads keys again
	retryAfter = 5 * time.Second  // after a failure, before the next try
	lookEvery  = 10 * time.Second // between reads for unknown keys, on average
	lookBurst  = 3                // of them at once
	maxKeys    = 100              // of one issuer
	minRSA     = 2048             // bits
)

// keySet caches the keys of one issuer.
type keySet struct {
	issuer string
	client *http.Client
	now    func() time.Time
	log    *slog.Logger

	known atomic.Pointer[fetched]

	mu     sync.Mutex // held while keys are read
	looked time.Time  // end of the budget that mayLook has spent
	failed time.Time  // last failed read; zero after a success
}

// fetched is what an issuer publishes.
type fetched struct {
	discovery
	keys map[string]*jose.JSONWebKey // by id
	at   time.Time
}

// get returns the document and keys of the issuer, possibly without the key with that id;
// "" asks for no key. An unknown id causes another read, but not often: anybody can invent
// ids.
func (s *keySet) get(ctx context.Context, kid string) (*fetched, error) {
	if known, found := s.cached(kid); found {
		return known, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, found := s.cached(kid)
	if since := s.now().Sub(s.failed); !found && (since < 0 || since >= retryAfter) && s.mayLook() {
		// Others wait for the result, so the end of this request does not cancel it.
		s.read(context.WithoutCancel(ctx))
		known, found = s.cached(kid)
	}
	if !found && (known == nil || !s.failed.IsZero()) {
		return nil, s.unavailable()
	}
	return known, nil
}

// cached returns the cached keys, nil if there are none or they are too old, and whether
// the key is among them.
func (s *keySet) cached(kid string) (known *fetched, found bool) {
	known = s.known.Load()
	if known == nil || s.now().Sub(known.at).Abs() >= MaxAge {
		return nil, false
	}
	return known, kid == "" || known.keys[kid] != nil
}

func (s *keySet) unavailable() error {
	return &octavo.Error{
		Type: octavo.Unavailable, RetryAfter: retryAfter,
		Detail: "The access token cannot be verified now, since its issuer does not answer.",
	}
}

// mayLook allows lookBurst reads at once, then one in each lookEvery.
func (s *keySet) mayLook() bool {
	now := s.now()
	if ahead := s.looked.Sub(now); ahead < 0 || ahead > lookBurst*lookEvery { // more after the clock was set back
		s.looked = now
	}
	if s.looked.Sub(now) > (lookBurst-1)*lookEvery {
		return false
	}
	s.looked = s.looked.Add(lookEvery)
	return true
}

func (s *keySet) refresh(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.known.Load(); known == nil || s.now().Sub(known.at).Abs() >= refreshAge {
		s.read(ctx)
	}
}

// read reads the keys, and logs a failure. The caller holds the lock.
func (s *keySet) read(ctx context.Context) {
	found, err := s.fetch(ctx)
	switch {
	case err == nil:
		s.failed = time.Time{}
		s.known.Store(found)
	case ctx.Err() == nil: // otherwise the process is stopping, and the issuer is not at fault
		s.failed = s.now()
		s.log.ErrorContext(ctx, "the keys of an issuer could not be read", "issuer", s.issuer, "error", err)
	}
}

// discovery is the metadata of an issuer (OpenID Connect Discovery section 3, RFC 9207
// section 3).
type discovery struct {
	Issuer      string   `json:"issuer"`
	Keys        string   `json:"jwks_uri"`
	Authorize   string   `json:"authorization_endpoint"`
	Token       string   `json:"token_endpoint"`
	Userinfo    string   `json:"userinfo_endpoint"`
	Methods     []string `json:"token_endpoint_auth_methods_supported"`
	NamesItself bool     `json:"authorization_response_iss_parameter_supported"`
}

// fetch reads the metadata (OpenID Connect Discovery section 4) and its keys.
func (s *keySet) fetch(ctx context.Context) (*fetched, error) {
	var about discovery
	if err := document(ctx, s.client, strings.TrimRight(s.issuer, "/")+"/.well-known/openid-configuration", "", &about); err != nil {
		return nil, fmt.Errorf("read the discovery document: %w", err)
	}
	if about.Issuer != s.issuer {
		return nil, fmt.Errorf("the discovery document is that of the issuer %q", about.Issuer)
	}
	for _, address := range []string{about.Keys, about.Authorize, about.Token, about.Userinfo} {
		if address != "" && !strings.HasPrefix(address, "https://") && strings.HasPrefix(s.issuer, "https://") {
			return nil, fmt.Errorf("the discovery document names %q, which is not an https address", address)
		}
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := document(ctx, s.client, about.Keys, "", &set); err != nil {
		return nil, fmt.Errorf("read the keys: %w", err)
	}
	keys := map[string]*jose.JSONWebKey{}
	for _, text := range set.Keys[:min(len(set.Keys), maxKeys)] {
		var key jose.JSONWebKey
		if key.UnmarshalJSON(text) == nil && usable(&key) {
			keys[key.KeyID] = &key
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no key among them that can verify tokens")
	}
	return &fetched{about, keys, s.now()}, nil
}

// usable reports whether a key may verify tokens: it must have an id, be public, be for
// signatures with an accepted algorithm, and be strong enough.
func usable(key *jose.JSONWebKey) bool {
	if rsaKey, ok := key.Key.(*rsa.PublicKey); ok && rsaKey.N.BitLen() < minRSA {
		return false
	}
	return key.KeyID != "" && key.IsPublic() && key.Valid() && (key.Use == "" || key.Use == "sig") &&
		(key.Algorithm == "" || slices.Contains(algorithms(), jose.SignatureAlgorithm(key.Algorithm)))
}

// document reads a JSON document; authorization may be "".
func document(ctx context.Context, client *http.Client, url, authorization string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // the body was read
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, resp.Status)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, into)
}
