package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"
)

// plainPNG returns the compressed rows of a PNG and the entries that describe them; ok is false if it
// has transparency, is interlaced, uses 16 bits or is invalid.
func plainPNG(data []byte) (stream []byte, entries string, ok bool) {
	var head, palette []byte
	for rest := data[8:]; ; {
		kind, body, after, valid := chunk(rest)
		if !valid {
			return nil, "", false
		}
		rest = after
		switch kind {
		case "IHDR":
			head = body
		case "PLTE":
			palette = body
		case "tRNS":
			return nil, "", false
		case "IDAT":
			stream = append(stream, body...)
		case "IEND":
			return plainRows(head, palette, stream)
		}
	}
}

// chunk reads a PNG chunk and verifies its checksum.
func chunk(b []byte) (kind string, body, rest []byte, ok bool) {
	if len(b) < 12 {
		return "", nil, nil, false
	}
	size := binary.BigEndian.Uint32(b)
	if uint64(size) > uint64(len(b)-12) {
		return "", nil, nil, false
	}
	end := 8 + int(size)
	if crc32.ChecksumIEEE(b[4:end]) != binary.BigEndian.Uint32(b[end:]) {
		return "", nil, nil, false
	}
	return string(b[4:8]), b[8:end], b[end+4:], true
}

// plainRows checks that a stream contains all rows.
func plainRows(head, palette, stream []byte) ([]byte, string, bool) {
	if len(head) != 13 || head[12] != 0 || head[8] > 8 {
		return nil, "", false
	}
	width, height := int(binary.BigEndian.Uint32(head)), int(binary.BigEndian.Uint32(head[4:]))
	bits, colors, space := int(head[8]), 1, "/DeviceGray"
	switch head[9] {
	case 0:
	case 2:
		colors, space = 3, "/DeviceRGB"
	case 3:
		if len(palette) == 0 || len(palette)%3 != 0 || len(palette) > 3*256 {
			return nil, "", false
		}
		space = fmt.Sprintf("[/Indexed/DeviceRGB %d<%x>]", len(palette)/3-1, palette)
	default:
		return nil, "", false
	}
	want := int64((width*bits*colors+7)/8+1) * int64(height)
	r, err := zlib.NewReader(bytes.NewReader(stream))
	if err != nil {
		return nil, "", false
	}
	if n, err := io.Copy(io.Discard, io.LimitReader(r, want+1)); err != nil || n != want {
		return nil, "", false
	}
	return stream, fmt.Sprintf("/BitsPerComponent %d/ColorSpace%s/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors %d/BitsPerComponent %d/Columns %d>>",
		bits, space, colors, bits, width), true
}
