package octavo

import (
	"bytes"
	"crypto/rand"
	"slices"
	"testing"
	"time"
)

// The vectors are those of the TypeID specification: a UUID and its suffix.
func TestSuffixVectors(t *testing.T) {
	for _, c := range []struct {
		uuid [16]byte
		want string
	}{
		{[16]byte{}, "00000000000000000000000000"},
		{[16]byte{15: 1}, "00000000000000000000000001"},
		{[16]byte{15: 10}, "0000000000000000000000000a"},
		{[16]byte{15: 16}, "0000000000000000000000000g"},
		{[16]byte{15: 32}, "00000000000000000000000010"},
		{[16]byte(bytes.Repeat([]byte{0xff}, 16)), "7zzzzzzzzzzzzzzzzzzzzzzzzz"},
		{[16]byte{0x01, 0x10, 0xc8, 0x53, 0x1d, 0x09, 0x52, 0xd8, 0xd7, 0x3e, 0x11, 0x94, 0xe9, 0x5b, 0x5f, 0x19}, "0123456789abcdefghjkmnpqrs"},
		{[16]byte{0x01, 0x89, 0x0a, 0x5d, 0xac, 0x96, 0x77, 0x4b, 0xbc, 0xce, 0xb3, 0x02, 0x09, 0x9a, 0x80, 0x57}, "01h455vb4pex5vsknk084sn02q"},
	} {
		if have := encodeSuffix(c.uuid); have != c.want {
			t.Errorf("%x: have %s, want %s", c.uuid, have, c.want)
		}
	}
}

func TestIDsRiseWhateverTheClockDoes(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	ids := NewIDSource(func() time.Time { return now }, rand.Reader)
	var list []ID
	for i := range 20_000 {
		switch i {
		case 9_000:
			now = now.Add(-time.Hour)
		case 18_000:
			now = now.Add(2 * time.Hour)
		}
		id, err := ids.New(PrefixPage)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, id)
	}
	if !slices.IsSorted(list) {
		t.Error("identifiers do not rise")
	}
	if n := len(slices.Compact(slices.Clone(list))); n != len(list) {
		t.Errorf("have %d distinct identifiers, want %d", n, len(list))
	}
	if !list[0].Is(PrefixPage) || list[0].Is(PrefixAsset) || len(list[0].Suffix()) != 26 {
		t.Errorf("not a page identifier: %s", list[0])
	}
}

func TestAfterWithClockAhead(t *testing.T) {
	start := time.UnixMilli(1_800_000_000_000)
	for _, ahead := range []time.Duration{-time.Hour, 0, time.Millisecond, 31 * time.Millisecond, 1023 * time.Millisecond, 32768 * time.Millisecond, 100 * time.Hour} {
		made := func(at time.Time) ID {
			id, err := NewIDSource(func() time.Time { return at }, rand.Reader).New(PrefixChange)
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		last, id := made(start.Add(ahead)), made(start)
		have := id.After(last)
		if have <= last || !have.Is(PrefixChange) || len(have) != len(last) || have.Suffix()[10:] != id.Suffix()[10:] || id > last && have != id {
			t.Errorf("%s after %s: have %s", id, last, have)
		}
	}
}

func TestIDFailsWithoutRandomness(t *testing.T) {
	if _, err := NewIDSource(time.Now, bytes.NewReader(nil)).New(PrefixPage); err == nil {
		t.Error("have an identifier, want an error")
	}
}

func TestValidIdentifier(t *testing.T) {
	for text, want := range map[string]bool{
		"page_01h455vb4pex5vsknk084sn02q": true, "ab_1": true, "export_X9": true,
		"": false, "page": false, "page_": false, "p_1": false, "Page_1": false, "page_1-2": false,
		"page__1": false, "_1": false, "p1_1": false, "page_é": false, "page_1\n": false,
	} {
		if have := ValidIdentifier(text); have != want {
			t.Errorf("%q: have %v, want %v", text, have, want)
		}
	}
}
