package font

import (
	"embed"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// data has the built-in fonts, compressed. data/README.md lists their sources;
// scripts/vendor-fonts updates them.
//
//go:embed data/*.zst
var data embed.FS

// Builtin returns the built-in fonts. Each is decompressed on first use.
func Builtin() Sources {
	regular, bold := builtin("NotoSans-Regular.ttf"), builtin("NotoSans-Bold.ttf")
	italic, both := builtin("NotoSans-Italic.ttf"), builtin("NotoSans-BoldItalic.ttf")
	mono, monoBold := builtin("NotoSansMono-Regular.ttf"), builtin("NotoSansMono-Bold.ttf")
	return Sources{
		Styles: [styles]Source{regular, bold, italic, both, mono, monoBold, mono, monoBold},
		Fallbacks: []Source{
			builtin("NotoSansSymbols2-Regular.ttf"),
			builtin("NotoEmoji-Regular.ttf"),
			builtin("NotoSansMath-Regular.ttf"),
			builtin("NotoSansArabic-Regular.ttf"),
			builtin("NotoSansHebrew-Regular.ttf"),
			builtin("NotoSansDevanagari-Regular.ttf"),
			builtin("NotoSansThai-Regular.ttf"),
			builtin("wqy-microhei.ttf"),
			builtin("NotoSansSymbols-Regular.ttf"),
		},
	}
}

func builtin(name string) Source {
	signs := name == "NotoEmoji-Regular.ttf" || strings.HasPrefix(name, "NotoSansSymbols") || strings.HasPrefix(name, "NotoSansMath")
	return Source{Name: name, Signs: signs, Bytes: func() ([]byte, error) {
		packed, err := data.ReadFile("data/" + name + ".zst")
		if err != nil {
			return nil, fmt.Errorf("built-in font: %w", err)
		}
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("built-in font: %w", err)
		}
		defer r.Close()
		font, err := r.DecodeAll(packed, nil)
		if err != nil {
			return nil, fmt.Errorf("built-in font: %w", err)
		}
		return font, nil
	}}
}
