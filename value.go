package octavo

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Kind is one of the six JSON types of a Value (RFC 8259 section 3).
type Kind uint8

// The kinds of a Value. The zero Value is null.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String returns the JSON Schema name of the kind.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is a decoded JSON or YAML value. Members keep their order and numbers keep
// their literal, so nothing an author wrote is lost before it is stored.
type Value struct {
	Kind    Kind
	Bool    bool
	Str     string // the text of a string, the JSON literal of a number
	Items   []Value
	Members []Member // names are unique; the decoders refuse duplicates
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

// Get returns the member with that exact name and whether it exists.
func (v Value) Get(name string) (Value, bool) {
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// String returns a string Value.
func String(s string) Value { return Value{Kind: KindString, Str: s} }

// Object returns an object Value with members.
func Object(members ...Member) Value { return Value{Kind: KindObject, Members: members} }

// Int returns the value of a whole number that fits 64 bits, and whether it is one; 1.0
// and 1e2 are whole (JSON Schema section 6.1.1).
func (v Value) Int() (int64, bool) {
	if v.Kind != KindNumber {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.Str, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(v.Str, 64)
	if err != nil || f != float64(int64(f)) || f > 1<<53 || f < -(1<<53) {
		return 0, false
	}
	return int64(f), true
}

// AppendJSON appends the value as compact JSON.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.Kind {
	case KindBool:
		return strconv.AppendBool(dst, v.Bool)
	case KindNumber:
		return append(dst, v.Str...)
	case KindString:
		return AppendString(dst, v.Str)
	case KindArray:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	case KindObject:
		dst = append(dst, '{')
		for i, m := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, m.Name)
			dst = append(dst, ':')
			dst = m.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. It escapes only what JSON requires (RFC 8259
// section 7), not markup characters. Invalid UTF-8 becomes U+FFFD; decoded input never
// has any.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// ValueOf parses trusted JSON text, such as the output of AppendJSON. Untrusted text
// goes through the strict decoder of the HTTP layer instead.
func ValueOf(text []byte) (Value, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return readValue(dec)
}

func readValue(dec *json.Decoder) (Value, error) {
	tok, err := dec.Token()
	if err != nil {
		return Value{}, err
	}
	switch t := tok.(type) {
	case bool:
		return Value{Kind: KindBool, Bool: t}, nil
	case json.Number:
		return Value{Kind: KindNumber, Str: t.String()}, nil
	case string:
		return String(t), nil
	case json.Delim:
		return readComposite(dec, t)
	}
	return Value{}, nil
}

func readComposite(dec *json.Decoder, open json.Delim) (Value, error) {
	v := Value{Kind: KindArray}
	if open == '{' {
		v.Kind = KindObject
	}
	for dec.More() {
		var name string
		if v.Kind == KindObject {
			tok, err := dec.Token()
			if err != nil {
				return Value{}, err
			}
			name, _ = tok.(string)
		}
		item, err := readValue(dec)
		if err != nil {
			return Value{}, err
		}
		if v.Kind == KindObject {
			v.Members = append(v.Members, Member{Name: name, Value: item})
		} else {
			v.Items = append(v.Items, item)
		}
	}
	_, err := dec.Token() // the closing delimiter
	return v, err
}
