package main

import (
	"testing"
	"time"
)

func TestExpiry(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"90d", 90 * day, true},
		{"24h", day, true},
		{"1h30m", 90 * time.Minute, true},
		{"never", 0, true},
		{"36500d", 36500 * day, true},
		{"36501d", 0, false},
		{"99999999999999999999d", 0, false},
		{"0d", 0, false},
		{"0s", 0, false},
		{"-1h", 0, false},
		{"-3d", 0, false},
		{"1.5d", 0, false},
		{"90", 0, false},
		{"d", 0, false},
		{"", 0, false},
		{"Never", 0, false},
	} {
		var have expiryFlag
		if err := have.UnmarshalText([]byte(tt.text)); (err == nil) != tt.ok || tt.ok && have.Duration != tt.want {
			t.Errorf("--expires %q is %v, %v; want %v, ok %t", tt.text, have, err, tt.want, tt.ok)
		}
	}
}
