package octavo

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// Traceparent is the traceparent of a W3C Trace Context: it identifies a trace across
// systems, and the span that causes the next ones. The zero value is invalid.
type Traceparent struct {
	TraceID  [16]byte // of the whole trace
	ParentID [8]byte  // of the span
	Flags    byte     // the lowest bit says that the caller records the trace
}

// ParseTraceparent reads a traceparent field and reports whether it is valid (W3C Trace
// Context, section 3.2.2). Of future versions it reads the fields of this one.
func ParseTraceparent(text string) (t Traceparent, ok bool) {
	const length = len("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if len(text) < length || text[2] != '-' || text[35] != '-' || text[52] != '-' || strings.ToLower(text[:length]) != text[:length] {
		return Traceparent{}, false
	}
	var version, flags [1]byte
	for _, part := range []struct {
		to   []byte
		text string
	}{{version[:], text[:2]}, {t.TraceID[:], text[3:35]}, {t.ParentID[:], text[36:52]}, {flags[:], text[53:55]}} {
		if _, err := hex.Decode(part.to, []byte(part.text)); err != nil {
			return Traceparent{}, false
		}
	}
	t.Flags = flags[0]
	more := text[length:]
	switch {
	case version[0] == 0xff,
		version[0] == 0 && more != "",
		more != "" && more[0] != '-',
		t.TraceID == [16]byte{}, t.ParentID == [8]byte{}:
		return Traceparent{}, false
	}
	return t, true
}

// NewTraceparent starts a trace that nobody records. It fails only if random does.
func NewTraceparent(random io.Reader) (Traceparent, error) {
	var t Traceparent
	if _, err := io.ReadFull(random, t.TraceID[:]); err != nil {
		return Traceparent{}, fmt.Errorf("draw a trace id: %w", err)
	}
	t.TraceID[0] |= 1 // it may not be all zero
	return t.Child(random)
}

// Child is the traceparent for a call made by this span: the same trace with a new span
// identifier. It fails only if random does.
func (t Traceparent) Child(random io.Reader) (Traceparent, error) {
	if _, err := io.ReadFull(random, t.ParentID[:]); err != nil {
		return Traceparent{}, fmt.Errorf("draw a parent id: %w", err)
	}
	t.ParentID[0] |= 1 // it may not be all zero
	return t, nil
}

// String formats the field as version 00.
func (t Traceparent) String() string {
	return fmt.Sprintf("00-%x-%x-%02x", t.TraceID[:], t.ParentID[:], t.Flags)
}
