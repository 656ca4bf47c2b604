package portal

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
)

//go:embed assets/portal.css assets/init.js assets/mark.svg assets/redoc.js.gz
var assets embed.FS

// Paths of the static files. The icon has a path of its own so that browsers
// do not ask for /favicon.ico.
const (
	stylePath = "/portal.css"
	iconPath  = "/portal.svg"
	initPath  = "/reference/init.js"
	redocPath = "/reference/redoc.js"
)

// staticFiles returns the files by path, and the version that is the same for
// all of them: it changes when one of them does.
func (p *packer) staticFiles() (map[string]file, string, error) {
	const script = "text/javascript; charset=utf-8"
	files := make(map[string]file)
	sum := sha256.New()
	for _, s := range []struct{ path, name, contentType string }{
		{stylePath, "portal.css", "text/css; charset=utf-8"},
		{iconPath, "mark.svg", "image/svg+xml"},
		{initPath, "init.js", script},
		{redocPath, "redoc.js.gz", script},
	} {
		content, err := assets.ReadFile("assets/" + s.name)
		if err != nil {
			return nil, "", err
		}
		sum.Write(content)
		if s.path == redocPath { // 2 MB: kept compressed in the program as well
			files[s.path] = zippedFile(s.contentType, content)
			continue
		}
		if files[s.path], err = p.file(s.contentType, content); err != nil {
			return nil, "", err
		}
	}
	version := hex.EncodeToString(sum.Sum(nil)[:6])
	for path, f := range files {
		f.version = version
		files[path] = f
	}
	return files, version, nil
}
