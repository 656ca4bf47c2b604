package pdf

import (
	"bytes"
	"strings"
	"testing"
)

// TestInvalidWidths checks that a width which is no length changes nothing.
func TestInvalidWidths(t *testing.T) {
	t.Parallel()
	rest := strings.Repeat("\n\nA paragraph below it.", 100)
	o := Options{Image: picturesOf(t)}
	want, report := write(t, o, `<img src="picture.png" alt="x">`+rest)
	if report.Sheets < 2 {
		t.Fatalf("have %d sheets, want some", report.Sheets)
	}
	for _, width := range []string{"inf", "+Infinity", "1e300", "100001px", "nan", "0", "-5", "wide", "50%"} {
		if have, report := write(t, o, `<img src="picture.png" alt="x" width="`+width+`">`+rest); !bytes.Equal(have, want) {
			t.Errorf("%s: have other bytes than without a width, and %d sheets", width, report.Sheets)
		}
	}
	if have, _ := write(t, o, `<img src="picture.png" alt="x" width="40px">`+rest); bytes.Equal(have, want) {
		t.Error("40px: have the bytes of an image without a width")
	}
}
