package auth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// BenchmarkFirstSight verifies credentials that nobody has seen before, on
// SQLite with 1,000 keys, and checks that against what it cannot do without: one
// ES256 signature verified, or one row looked up.
func BenchmarkFirstSight(b *testing.B) {
	s := octavotest.Start(b, octavotest.Options{})
	token := s.Token(b, auth.Grant{Name: "CI", Scopes: octavo.ScopeRead})
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	sum := sha256.Sum256([]byte(token))
	signature, err := ecdsa.SignASN1(rand.Reader, key, sum[:])
	if err != nil {
		b.Fatal(err)
	}
	const many = 1000
	keys := make([]string, many)
	for i := range keys {
		if keys[i], _, err = s.Keys.Create(b.Context(), sqldb.Cause{}, auth.KeyRequest{Name: "a", Kind: octavo.KeyService, Scopes: octavo.ScopeRead}); err != nil {
			b.Fatal(err)
		}
	}
	for _, bm := range []struct {
		name       string
		credential func(i int) auth.Credential
		bound      func(i int) bool
	}{
		{
			"token", func(int) auth.Credential { return auth.Credential{Kind: auth.Bearer, Secret: token} },
			func(int) bool { return ecdsa.VerifyASN1(&key.PublicKey, sum[:], signature) },
		},
		{
			"key", func(i int) auth.Credential { return auth.Credential{Kind: auth.HeaderKey, Secret: keys[i%many]} },
			func(i int) bool {
				_, err := s.Store.Accounts.Keys.ByHash(b.Context(), sha256.Sum256([]byte(keys[i%many])))
				return err == nil
			},
		},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			var sight, bound time.Duration
			for i := 0; b.Loop(); i++ {
				stranger := auth.NewAuthenticator(auth.Env{Now: time.Now, Random: rand.Reader}, s.Keys, s.Tokens, nil) // to all credentials
				begin := time.Now()
				_, err := stranger.Verify(b.Context(), bm.credential(i))
				seen := time.Now()
				ok := bm.bound(i)
				sight, bound = sight+seen.Sub(begin), bound+time.Since(seen)
				if err != nil || !ok {
					b.Fatal(err, ok)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(sight.Nanoseconds())/float64(b.N)/1000, "µs-first")
			b.ReportMetric(float64(sight)/float64(bound), "times-bound")
		})
	}
}
