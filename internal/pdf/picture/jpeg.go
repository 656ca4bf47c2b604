package picture

import (
	"bytes"
	"encoding/binary"
)

// Turn is an Exif orientation, 1 to 8, or 0 if unknown.
type Turn uint8

// Matrix returns the transformation of the unit square that makes the picture upright.
func (t Turn) Matrix() [6]float64 {
	return [...][6]float64{
		{1, 0, 0, 1, 0, 0},
		{1, 0, 0, 1, 0, 0},
		{-1, 0, 0, 1, 1, 0},
		{-1, 0, 0, -1, 1, 1},
		{1, 0, 0, -1, 0, 1},
		{0, -1, -1, 0, 1, 1},
		{0, -1, 1, 0, 0, 1},
		{0, 1, 1, 0, 0, 0},
		{0, 1, -1, 0, 1, 0},
	}[t]
}

// inspectJPEG reads the segments of a JPEG up to its first scan: the orientation, whether an Adobe
// program wrote it, and whether it has a scan and an end.
func inspectJPEG(data []byte) (turn Turn, adobe, whole bool) {
	for at := 2; at+4 <= len(data); {
		if data[at] != 0xff {
			return turn, adobe, false
		}
		kind := data[at+1]
		if kind == 0xff { // fill bytes
			at++
			continue
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if size < 2 || at+2+size > len(data) {
			return turn, adobe, false
		}
		body := data[at+4 : at+2+size]
		switch kind {
		case 0xda: // start of scan
			return turn, adobe, bytes.Contains(data[max(at, len(data)-64):], []byte("\xff\xd9"))
		case 0xe1:
			if t := exifTurn(body); t != 0 {
				turn = t
			}
		case 0xee:
			adobe = adobe || bytes.HasPrefix(body, []byte("Adobe"))
		}
		at += 2 + size
	}
	return turn, adobe, false
}

// exifTurn returns the orientation in the first Exif directory.
func exifTurn(body []byte) Turn {
	tiff, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00"))
	if !ok || len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.BigEndian
	if bytes.HasPrefix(tiff, []byte("II")) {
		order = binary.LittleEndian
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 0
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return 0
		}
		const orientation = 0x0112
		if order.Uint16(entries) == orientation {
			if v := order.Uint16(entries[8:]); v >= 1 && v <= 8 {
				return Turn(v)
			}
			return 0
		}
		entries = entries[12:]
	}
	return 0
}
