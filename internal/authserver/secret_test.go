package authserver

import (
	"bytes"
	"testing"
)

// TestSecretsHave256Bits: each of the random bytes that a code, a token or the
// identifier of a session is made of is in it, and in what is stored of it.
func TestSecretsHave256Bits(t *testing.T) {
	t.Parallel()
	texts, hashes := map[string]bool{}, map[[32]byte]bool{}
	for i := range secretBytes + 1 {
		random := make([]byte, secretBytes+1)
		random[i] = 1
		text, hash, err := NewSecret(bytes.NewReader(random))
		if err != nil {
			t.Fatal(err)
		}
		texts[text], hashes[hash] = true, true
	}
	if secretBytes*8 != 256 || len(texts) != secretBytes+1 || len(hashes) != secretBytes+1 {
		t.Errorf("%d bytes of which one differs make %d secrets and %d hashes", secretBytes, len(texts), len(hashes))
	}
}
