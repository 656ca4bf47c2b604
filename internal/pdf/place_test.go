package pdf

import (
	"math"
	"testing"
)

func TestPlace(t *testing.T) {
	t.Parallel()
	whole := place{left: marginLeft, width: 400}
	mirrored := whole
	mirrored.mirrored = true
	for _, c := range []struct {
		name        string
		have        place
		left, width float64
	}{
		{"inset", whole.inset(30), marginLeft + 30, 370},
		{"inset, mirrored", mirrored.inset(30), marginLeft, 370},
		{"within", whole.within(30, 10), marginLeft + 30, 360},
		{"within, mirrored", mirrored.within(30, 10), marginLeft + 10, 360},
		{"too deep", whole.inset(1000), sheetWidth - marginRight - narrowestPlace, narrowestPlace},
	} {
		if math.Abs(c.have.left-c.left) > 1e-9 || c.have.width != c.width {
			t.Errorf("%s: have %v and %v wide, want %v and %v", c.name, c.have.left, c.have.width, c.left, c.width)
		}
	}
	if have, want := whole.start(5, 20), marginLeft+5.0; have != want {
		t.Errorf("start: have %v, want %v", have, want)
	}
	if have, want := mirrored.start(5, 20), marginLeft+400-5.0-20; have != want {
		t.Errorf("start, mirrored: have %v, want %v", have, want)
	}
}
