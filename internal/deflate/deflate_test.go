package deflate

import (
	"bytes"
	"compress/gzip"
	"io"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestStreamFormat checks that whatever pieces a stream is made of, any
// reader of gzip finds them in one member, one after the other.
func TestStreamFormat(t *testing.T) {
	var c Compressor
	rapid.Check(t, func(t *rapid.T) {
		var want, stream []byte
		var pieces []Piece
		s := NewStream(nil)
		for range rapid.IntRange(0, 8).Draw(t, "pieces") {
			p := Piece{Plain: []byte(strings.Repeat(rapid.StringN(0, 40, 200).Draw(t, "text"), rapid.IntRange(1, 2000).Draw(t, "times")))}
			if rapid.Bool().Draw(t, "compressed") {
				var err error
				if p.Compressed, err = c.Compress(p.Plain); err != nil {
					t.Fatal(err)
				}
			}
			s.Add(p)
			if rapid.Bool().Draw(t, "taken") {
				stream = append(stream, s.Take()...)
			}
			pieces = append(pieces, p)
			want = append(want, p.Plain...)
		}
		stream = append(stream, s.Close()...)
		if StreamSize(pieces) != len(stream) {
			t.Fatalf("have a size of %d, want %d", StreamSize(pieces), len(stream))
		}
		in := bytes.NewReader(stream)
		r, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		r.Multistream(false)
		have, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(have, want) || in.Len() != 0 {
			t.Fatalf("have %d bytes, %d left over, error %v; want %d bytes", len(have), in.Len(), err, len(want))
		}
	})
}

// TestOtherReaders holds a stream against the gzip program.
func TestOtherReaders(t *testing.T) {
	var c Compressor
	text := strings.Repeat("one page, and its words; ", 300)
	compressed, err := c.Compress([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := NewStream(nil)
	s.Add(Piece{Plain: []byte("[")})
	s.Add(Piece{Plain: []byte(text), Compressed: compressed})
	s.Add(Piece{Plain: []byte("]")})
	stream := s.Close()
	cmd := exec.CommandContext(t.Context(), "gzip", "-dc")
	cmd.Stdin = bytes.NewReader(stream)
	have, err := cmd.Output()
	if err != nil || string(have) != "["+text+"]" {
		t.Errorf("gzip -dc: have %d bytes and error %v, want %d bytes", len(have), err, len(text)+2)
	}
	if len(stream) > len(text)/10 {
		t.Errorf("the stream has %d bytes, the text %d", len(stream), len(text))
	}
}
