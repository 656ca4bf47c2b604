package assets

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/webp"
)

// maxPixels bounds either side of an image that is believed. Headers may say
// anything; nothing is ever decoded by them.
const maxPixels = 1 << 20

// imageSize reads the width and height in pixels from the header of an image;
// 0 and 0 where head does not tell.
func imageSize(contentType string, head []byte) (width, height int) {
	decode := map[string]func(io.Reader) (image.Config, error){
		"image/png": png.DecodeConfig, "image/apng": png.DecodeConfig, "image/vnd.mozilla.apng": png.DecodeConfig,
		"image/jpeg": jpeg.DecodeConfig, "image/gif": gif.DecodeConfig, "image/webp": webp.DecodeConfig, "image/bmp": bmp.DecodeConfig,
	}[contentType]
	if decode == nil {
		return 0, 0
	}
	config, err := decode(bytes.NewReader(head))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width > maxPixels || config.Height > maxPixels {
		return 0, 0
	}
	return config.Width, config.Height
}
