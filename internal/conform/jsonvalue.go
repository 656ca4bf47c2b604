package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// parseJSON decodes a JSON text strictly: repeated members, invalid UTF-8 and trailing
// text are errors. Numbers keep their digits.
func parseJSON(text []byte) (any, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := dec.ReadValue(); err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(text))
}

// lookup finds the value at a JSON Pointer (RFC 6901).
func lookup(doc any, pointer string) (any, bool) {
	if pointer == "" {
		return doc, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch v := doc.(type) {
		case map[string]any:
			item, ok := v[token]
			if !ok {
				return nil, false
			}
			doc = item
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != token {
				return nil, false
			}
			doc = v[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// escapeToken escapes a member name for a JSON Pointer.
func escapeToken(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// covers reports whether have equals want, where objects may have additional members
// unless exact is set.
func covers(have, want any, exact bool) bool {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		if !ok || exact && len(h) != len(w) {
			return false
		}
		for name, value := range w {
			if item, ok := h[name]; !ok || !covers(item, value, exact) {
				return false
			}
		}
		return true
	case []any:
		h, ok := have.([]any)
		if !ok || len(h) != len(w) {
			return false
		}
		for i := range w {
			if !covers(h[i], w[i], exact) {
				return false
			}
		}
		return true
	case json.Number:
		h, ok := have.(json.Number)
		return ok && sameNumber(h.String(), w.String())
	}
	return have == want
}

// sameNumber compares two JSON numbers by value, or as text if the exponents are too
// large.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > 40 || len(b) > 40 || bigExponent(a) || bigExponent(b) {
		return false
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

func bigExponent(number string) bool {
	i := strings.IndexAny(number, "eE")
	return i >= 0 && len(number)-i > 5
}

// show formats a value as compact JSON for a report.
func show(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return excerpt(text)
}

// excerpt shortens a text for a report.
func excerpt(text []byte) string {
	const limit = 600
	if len(text) <= limit {
		return string(text)
	}
	return fmt.Sprintf("%s ... (%d bytes)", text[:limit], len(text))
}
