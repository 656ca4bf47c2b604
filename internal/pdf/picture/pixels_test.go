package picture

import (
	"bytes"
	"image"
	"testing"
)

// TestClearPixels holds that pixels that are not seen have a colour of those beside them, as readers
// mix colours where they make a picture smaller.
func TestClearPixels(t *testing.T) {
	t.Parallel()
	m := &image.NRGBA{Pix: []byte{0, 0, 0, 0, 200, 10, 20, 255, 0, 0, 0, 0}, Stride: 12, Rect: image.Rect(0, 0, 3, 1)}
	var colors, clear bytes.Buffer
	if err := filter(&colors, rowsOf(m), m.Rect, 0, 3); err != nil {
		t.Fatal(err)
	}
	if err := filter(&clear, rowsOf(m), m.Rect, 3, 1); err != nil {
		t.Fatal(err)
	}
	if want := []byte{2, 255, 255, 255, 200, 10, 20, 200, 10, 20}; !bytes.Equal(colors.Bytes(), want) {
		t.Errorf("have %v, want %v", colors.Bytes(), want)
	}
	if want := []byte{2, 0, 255, 0}; !bytes.Equal(clear.Bytes(), want) {
		t.Errorf("have %v, want %v", clear.Bytes(), want)
	}
}
