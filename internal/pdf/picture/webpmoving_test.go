package picture

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"strings"
	"testing"
)

// moving is a WebP of 4 × 3 pixels with one frame of 1 × 1 at 2, 2.
func moving(t *testing.T) []byte {
	t.Helper()
	still, err := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA") // 1 × 1
	if err != nil {
		t.Fatal(err)
	}
	picture, found := chunkOf(still[12:], "VP8 ")
	if !found {
		t.Fatal("no picture")
	}
	frame := append([]byte("\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x64\x00\x00\x00"), written("VP8 ", picture)...)
	return container(
		written("VP8X", []byte("\x12\x00\x00\x00\x03\x00\x00\x02\x00\x00")), written("ANIM", make([]byte, 6)),
		written("ANMF", frame), written("ANMF", frame))
}

// TestMovingWebP shows that of a WebP that moves the first frame is shown, at its place.
func TestMovingWebP(t *testing.T) {
	t.Parallel()
	data := moving(t)
	m, err := decodeWebP(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := m.Bounds(); b.Dx() != 4 || b.Dy() != 3 {
		t.Errorf("have %v", b)
	}
	if _, _, _, a := m.At(2, 2).RGBA(); a == 0 || m.At(0, 0) != (color.NRGBA{}) {
		t.Errorf("have %v at the frame, %v beside it", m.At(2, 2), m.At(0, 0))
	}
	for n := range data { // cut off anywhere it is an error, or shown
		_, _ = decodeWebP(bytes.NewReader(data[:n]))
	}
	large := bytes.Replace(data, []byte("\x00\x00\x03\x00\x00\x02\x00\x00"), []byte("\x00\x00\x00\x00\x00\x00\x00\x00"), 1) // a picture of 1 × 1
	if m, err := decodeWebP(bytes.NewReader(large)); err != nil || m.Bounds().Dx() != 1 {
		t.Errorf("a frame beside the picture: have %v, %v", m, err)
	}
	size := []byte(strings.Repeat("\x00", 6))
	if _, err := alone(size, written("VP8 ", []byte("x")), image.Config{Width: 4, Height: 3}); err == nil {
		t.Error("a frame that is none is no error")
	}
}
