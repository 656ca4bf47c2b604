package auth

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
)

func TestKeyTextForm(t *testing.T) {
	for _, tt := range []struct {
		name   string
		random []byte
		want   string
	}{
		{"all zero", make([]byte, 32), "oct_" + strings.Repeat("0", 43)},
		{"all one", bytes.Repeat([]byte{0xff}, 32), "oct_"},
	} {
		text, err := newKeyText(bytes.NewReader(tt.random))
		if err != nil || len(text) != 53 || !strings.HasPrefix(text, tt.want) || !isKeyText(text) {
			t.Errorf("%s: newKeyText = %q (%d characters, valid %t), %v; want 53 that start with %q", tt.name, text, len(text), isKeyText(text), err, tt.want)
		}
	}
	if text, err := newKeyText(bytes.NewReader(nil)); err == nil {
		t.Errorf("newKeyText without randomness = %q, want an error", text)
	}
}

// A single mistyped character, and two neighbours exchanged, must not pass for
// another key: that is what the checksum is for.
func TestKeyChecksum(t *testing.T) {
	text, err := newKeyText(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		mistyped := []byte(text)
		mistyped[i] ^= 1
		if isKeyText(string(mistyped)) {
			t.Errorf("isKeyText(%q) = true; character %d of %q was changed", mistyped, i, text)
		}
	}
	for i := 1; i < len(text); i++ {
		swapped := []byte(text)
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
		if text[i-1] != text[i] && isKeyText(string(swapped)) {
			t.Errorf("isKeyText(%q) = true; characters %d and %d of %q were exchanged", swapped, i-1, i, text)
		}
	}
	for _, other := range []string{"", "oct_", text[:52], text + "0", strings.ToUpper(text), " " + text} {
		if isKeyText(other) {
			t.Errorf("isKeyText(%q) = true", other)
		}
	}
}

// TestKeysHave256Bits: each of the random bytes that a key is made of is in it.
func TestKeysHave256Bits(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i := range keyBytes + 1 {
		random := make([]byte, keyBytes+1)
		random[i] = 1
		text, err := newKeyText(bytes.NewReader(random))
		if err != nil {
			t.Fatal(err)
		}
		seen[text] = true
	}
	if keyBytes*8 != 256 || len(seen) != keyBytes+1 {
		t.Errorf("%d bytes of which one differs make %d keys", keyBytes, len(seen))
	}
}
