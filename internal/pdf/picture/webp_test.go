package picture

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

func TestWebP(t *testing.T) {
	t.Parallel()
	data, err := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA") // one pixel
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p, err := Write(writer.New(&out, writer.Info{}), data, Letters{})
	if err != nil || p.Width != 1 || p.Height != 1 || !strings.Contains(out.String(), "/ColorSpace/DeviceRGB/DecodeParms") {
		t.Errorf("have %+v, %v", p, err)
	}
}
