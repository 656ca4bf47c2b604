package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/draw"
	"io"
	"slices"

	"golang.org/x/image/webp"
)

var errWebP = errors.New("a WebP picture whose first frame cannot be read")

// decodeWebP decodes a WebP; of an animation the first frame, on white.
func decodeWebP(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	frame, found := chunkOf(data[min(len(data), 12):], "ANMF")
	if !found {
		return webp.Decode(bytes.NewReader(data))
	}
	const head = 16 // of a frame: position, size, duration
	config, err := webp.DecodeConfig(bytes.NewReader(data))
	if err != nil || len(frame) < head {
		return nil, errors.Join(errWebP, err)
	}
	left, top := 2*number24(frame), 2*number24(frame[3:])
	file, err := alone(frame[6:12], frame[head:], config)
	if err != nil {
		return nil, err
	}
	still, err := webp.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	whole := image.NewNRGBA(image.Rect(0, 0, config.Width, config.Height))
	draw.Draw(whole, still.Bounds().Add(image.Pt(left, top)), still, still.Bounds().Min, draw.Src)
	return whole, nil
}

// alone makes a file of a frame's chunks. size is as in VP8X; it must not exceed the whole picture.
func alone(size, chunks []byte, whole image.Config) ([]byte, error) {
	kind := "VP8L"
	picture, found := chunkOf(chunks, kind)
	if !found {
		kind = "VP8 "
		picture, _ = chunkOf(chunks, kind)
	}
	plain := container(written(kind, picture))
	config, err := webp.DecodeConfig(bytes.NewReader(plain))
	if err != nil || config.Width > whole.Width || config.Height > whole.Height {
		return nil, errors.Join(errWebP, err)
	}
	alpha, found := chunkOf(chunks, "ALPH")
	if !found || kind == "VP8L" {
		return plain, nil
	}
	const hasAlpha = "\x10\x00\x00\x00"
	return container(written("VP8X", append([]byte(hasAlpha), size...)), written("ALPH", alpha), written(kind, picture)), nil
}

func container(chunks ...[]byte) []byte {
	return written("RIFF", slices.Concat([]byte("WEBP"), slices.Concat(chunks...)))
}

// written encodes a chunk, padded to an even length.
func written(kind string, data []byte) []byte {
	out := append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(data))), data...) //nolint:gosec // it is a part of a file
	return append(out, make([]byte, len(data)%2)...)
}

// chunkOf returns the content of the first chunk of a kind.
func chunkOf(data []byte, kind string) ([]byte, bool) {
	for len(data) >= 8 {
		size := int64(binary.LittleEndian.Uint32(data[4:]))
		if size > int64(len(data)-8) {
			return nil, false
		}
		if string(data[:4]) == kind {
			return data[8 : 8+size], true
		}
		data = data[min(8+size+size%2, int64(len(data))):]
	}
	return nil, false
}

func number24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
