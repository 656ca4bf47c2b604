package octavo

import (
	"regexp"
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"},
		{"2026-01-31t12:00:00.123456789z", "2026-01-31T12:00:00.123456789Z"},
		{"2026-01-31T12:00:00+23:59", "2026-01-30T12:01:00Z"},
		{"2026-01-31T12:00:00-00:00", "2026-01-31T12:00:00Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		// Leap seconds.
		{"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},
		{"2016-12-31T15:59:60.25-08:00", "2017-01-01T00:00:00.25Z"},
		{"2016-12-31T23:58:60Z", ""},
		{"2016-12-31T23:59:60-08:00", ""},
		{"2016-12-30T23:59:60Z", ""},
		{"2016-12-31T23:59:61Z", ""},
		{"2016-12-31T23:59:60", ""},
		// Years that have four digits there and not in UTC.
		{"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
		{"9999-12-31T23:59:59-01:00", ""},
		{"9999-12-31T23:59:60Z", ""},
		{"0000-01-01T00:00:00+00:01", ""},
		// What Go's layout takes and RFC 3339 does not.
		{"2026-01-31T1:00:00Z", ""},
		{"2026-01-31T12:00:00,5Z", ""},
		{"2026-01-31T12:00:00+24:00", ""},
		{"2026-01-31T12:00:00+01:60", ""},
		// What neither takes.
		{"", ""},
		{"2026-01-31", ""},
		{"2026-01-31 12:00:00Z", ""},
		{"2026-01-31T12:00:00", ""},
		{"2026-01-31T12:00Z", ""},
		{"2026-01-31T24:00:00Z", ""},
		{"2026-02-30T12:00:00Z", ""},
		{"2026-01-31T12:00:00.Z", ""},
		{"2026-01-31T12:00:00Z+01:00", ""},
	} {
		have, err := ParseTime(c.text)
		if text := have.Format(time.RFC3339Nano); (err == nil) != (c.want != "") || err == nil && (text != c.want || have.Location() != time.UTC) {
			t.Errorf("ParseTime(%q): have %s, error %v, want %q", c.text, text, err, c.want)
		}
	}
}

// FuzzParseTime checks that accepted text has the form of RFC 3339 and gives the same time
// again, and that everything that time.Parse accepts is accepted.
func FuzzParseTime(f *testing.F) {
	for _, text := range []string{"2026-01-31T12:00:00Z", "2016-12-31t15:59:60.25-08:00", "0000-01-01T00:00:00+00:01", "2026-01-31T1:00:00Z", "2026-01-31T12:00:00,5Z", ""} {
		f.Add(text)
	}
	form := regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
	f.Fuzz(func(t *testing.T, text string) {
		have, err := ParseTime(text)
		if err != nil {
			plain, wrong := time.Parse(time.RFC3339Nano, text)
			if year := plain.UTC().Year(); wrong == nil && form.MatchString(text) && year >= 0 && year <= 9999 {
				t.Errorf("%q: have %v, want %s", text, err, plain)
			}
			return
		}
		if !form.MatchString(text) {
			t.Errorf("%q is taken for %s", text, have)
		}
		if again, err := ParseTime(have.Format(time.RFC3339Nano)); err != nil || !again.Equal(have) {
			t.Errorf("%q: have %s and then %s, %v", text, have, again, err)
		}
	})
}
