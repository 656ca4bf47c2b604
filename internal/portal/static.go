package portal

import (
	"crypto/sha256"
	_ "embed" // of the static files
	"encoding/hex"
)

//go:embed assets/portal.css
var style []byte

//go:embed assets/mark.svg
var icon []byte

//go:embed assets/init.js
var initScript []byte

//go:embed assets/redoc.js.gz
var redoc []byte // 2 MB: also compressed in the program

// Paths of the static files. The icon has its own path so that browsers do not request
// /favicon.ico.
const (
	stylePath = "/portal.css"
	iconPath  = "/portal.svg"
	initPath  = "/reference/init.js"
	redocPath = "/reference/redoc.js"
)

// staticFiles returns the files by path, and their common version, which changes with any
// of them.
func (p *packer) staticFiles() (map[string]file, string, error) {
	const script = "text/javascript; charset=utf-8"
	files := make(map[string]file)
	sum := sha256.New()
	for _, s := range []struct {
		path, contentType string
		content           []byte
	}{
		{stylePath, "text/css; charset=utf-8", style},
		{iconPath, "image/svg+xml", icon},
		{initPath, script, initScript},
	} {
		sum.Write(s.content)
		f, err := p.file(s.contentType, s.content)
		if err != nil {
			return nil, "", err
		}
		files[s.path] = f
	}
	sum.Write(redoc)
	files[redocPath] = zippedFile(script, redoc)
	version := hex.EncodeToString(sum.Sum(nil)[:6])
	for path, f := range files {
		f.version = version
		files[path] = f
	}
	return files, version, nil
}
