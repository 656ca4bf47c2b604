package font

import "encoding/binary"

// readIndex reads an INDEX of CFF at the start of data.
func readIndex(data []byte) (items [][]byte, rest []byte, err error) {
	if len(data) < 2 {
		return nil, nil, errCFF
	}
	count := int(binary.BigEndian.Uint16(data))
	if count == 0 {
		return nil, data[2:], nil
	}
	if len(data) < 3 {
		return nil, nil, errCFF
	}
	size := int(data[2])
	base := 3 + (count+1)*size - 1 // offsets count from 1
	if size < 1 || size > 4 || base >= len(data) {
		return nil, nil, errCFF
	}
	offset := func(i int) int {
		v := 0
		for _, b := range data[3+i*size : 3+(i+1)*size] {
			v = v<<8 | int(b)
		}
		return base + v
	}
	items = make([][]byte, count)
	for i := range items {
		from, to := offset(i), offset(i+1)
		if from > to || from <= base || to > len(data) {
			return nil, nil, errCFF
		}
		items[i] = data[from:to]
	}
	return items, data[offset(count):], nil
}

// indexAt reads the INDEX at an offset of the font.
func indexAt(data []byte, at int) ([][]byte, error) {
	if at <= 0 || at >= len(data) {
		return nil, errCFF
	}
	items, _, err := readIndex(data[at:])
	return items, err
}

// appendIndex appends an INDEX.
func appendIndex(dst []byte, items [][]byte) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(items)))
	if len(items) == 0 {
		return dst
	}
	total := 1
	for _, item := range items {
		total += len(item)
	}
	size := 1
	for total>>(8*size) != 0 {
		size++
	}
	dst = append(dst, byte(size))
	offset := 1
	for i := range len(items) + 1 {
		for shift := 8 * (size - 1); shift >= 0; shift -= 8 {
			dst = append(dst, byte(offset>>shift))
		}
		if i < len(items) {
			offset += len(items[i])
		}
	}
	for _, item := range items {
		dst = append(dst, item...)
	}
	return dst
}

// dict is a DICT of CFF: operators with their operands, in order.
type dict []dictEntry

type dictEntry struct {
	op       int
	operands []byte
	numbers  []int // the operands; those that are no integers are 0
}

// readDict reads a DICT.
func readDict(data []byte) (dict, error) {
	var d dict
	start := 0
	var numbers []int
	for i := 0; i < len(data); {
		b := data[i]
		switch {
		case b <= 21:
			op, end := int(b), i
			if i++; b == 12 {
				if i == len(data) {
					return nil, errCFF
				}
				op = 12<<8 | int(data[i])
				i++
			}
			d = append(d, dictEntry{op, data[start:end], numbers})
			start, numbers = i, nil
		case b == 30: // a real number ends with a nibble f
			i++
			for ; i < len(data) && data[i]&0x0f != 0x0f && data[i]>>4 != 0x0f; i++ {
			}
			i++
			numbers = append(numbers, 0)
		default:
			n, width := operand(data[i:])
			if width == 0 {
				return nil, errCFF
			}
			numbers = append(numbers, n)
			i += width
		}
	}
	return d, nil
}

// operand reads an integer; width is 0 when there is none.
func operand(b []byte) (n, width int) {
	switch first := int(b[0]); {
	case first >= 32 && first <= 246:
		return first - 139, 1
	case first >= 247 && first <= 250 && len(b) >= 2:
		return (first-247)*256 + int(b[1]) + 108, 2
	case first >= 251 && first <= 254 && len(b) >= 2:
		return -(first-251)*256 - int(b[1]) - 108, 2
	case first == 28 && len(b) >= 3:
		return int(int16(binary.BigEndian.Uint16(b[1:]))), 3
	case first == 29 && len(b) >= 5:
		return int(int32(binary.BigEndian.Uint32(b[1:]))), 5
	}
	return 0, 0
}

// raw returns the operands of an operator as they stand, nil without it.
func (d dict) raw(op int) []byte {
	for _, e := range d {
		if e.op == op {
			return e.operands
		}
	}
	return nil
}

// number returns an operand of an operator, -1 without it.
func (d dict) number(op, i int) int {
	for _, e := range d {
		if e.op == op && i < len(e.numbers) {
			return e.numbers[i]
		}
	}
	return -1
}

// without returns the DICT without an operator.
func (d dict) without(op int) []byte {
	var out []byte
	for _, e := range d {
		if e.op != op {
			out = appendRaw(out, e.operands, e.op)
		}
	}
	return out
}

// appendRaw appends an operator behind operands that are written already.
func appendRaw(dst, operands []byte, op int) []byte {
	dst = append(dst, operands...)
	if op >= 12<<8 {
		dst = append(dst, 12)
	}
	return append(dst, byte(op))
}

// appendOp appends an operator with integers, each of which takes five bytes:
// so the length is known before the offsets are.
func appendOp(dst []byte, op int, operands ...int) []byte {
	for _, n := range operands {
		dst = binary.BigEndian.AppendUint32(append(dst, 29), uint32(n))
	}
	return appendRaw(dst, nil, op)
}
