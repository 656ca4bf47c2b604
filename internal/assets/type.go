package assets

import (
	"mime"
	"path"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

const (
	anyBytes  = "application/octet-stream"
	plainText = "text/plain"
)

// contentType returns the media type of bytes that begin with head. The
// client's claim, by type or else by name, only makes it more exact: a
// claimed type with a recognisable form needs that form.
func contentType(head []byte, claimed, name string) string {
	found := mimetype.Detect(head)
	base, charset, _ := strings.Cut(found.String(), ";")
	base = strings.TrimSpace(base)
	if base == "text/javascript" {
		base, charset = plainText, "charset=utf-8" // so that no page can run it from here
	}
	claim, _, err := mime.ParseMediaType(claimed)
	if err != nil || claim == anyBytes || claim == plainText {
		claim = typeOfName(name)
	}
	if refines(claim, base) {
		base = claim
	}
	_, charset, _ = strings.Cut(charset, "charset=")
	if strings.HasPrefix(base, "text/") && isCharset(charset) {
		return base + "; charset=" + charset
	}
	return base
}

// isCharset reports whether text may be the name of a charset (RFC 2978
// section 2.3). HTML and XML declare their own, which may be anything.
func isCharset(text string) bool {
	const marks = "-_.:+"
	return len(text) > 0 && len(text) <= 40 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(marks, r)
	})
}

// refines reports whether a claimed type is only more exact than the found one.
func refines(claim, found string) bool {
	kind, sub, ok := strings.Cut(claim, "/")
	if !ok || sub == "" || len(claim) > 100 || runs(claim) {
		return false
	}
	known := mimetype.Lookup(claim) != nil
	switch found {
	case plainText:
		switch claim {
		case "text/csv", "text/tab-separated-values": // a few lines do not show them
			return true
		case "application/yaml", "application/toml", "application/x-ndjson", "application/sql":
			return true
		}
		return kind == "text" && !known
	case "application/json":
		return strings.HasSuffix(sub, "+json") && !known
	case "application/zip":
		return !known && (strings.HasSuffix(sub, "+zip") || strings.HasPrefix(claim, "application/vnd."))
	case anyBytes:
		switch kind {
		case "application", "audio", "video", "font", "model", "chemical":
			return !known
		}
	}
	return false
}

// runs reports whether a browser may execute this type.
func runs(media string) bool {
	for _, part := range []string{"html", "xml", "javascript", "ecmascript", "jscript", "livescript", "flash", "java", "xsl", "pdf", "x-component", "hta"} {
		if strings.Contains(media, part) {
			return true
		}
	}
	return strings.HasPrefix(media, "multipart/") || strings.HasPrefix(media, "message/")
}

// typeOfName returns the type of text that only its name shows, or "".
func typeOfName(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return "text/markdown"
	case ".css":
		return "text/css"
	case ".csv":
		return "text/csv"
	case ".tsv":
		return "text/tab-separated-values"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".toml":
		return "application/toml"
	}
	return ""
}

// Inline reports whether a browser may show this content type in place.
// Everything else is a download (decision 21).
func Inline(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	switch media = strings.TrimSpace(media); {
	case runs(media):
		return false // including image/svg+xml, which an img element still shows
	case strings.HasPrefix(media, "image/"), strings.HasPrefix(media, "audio/"), strings.HasPrefix(media, "video/"), strings.HasPrefix(media, "font/"):
		return true
	}
	switch media {
	case plainText, "text/markdown", "text/csv", "text/css", "application/json":
		return true
	}
	return false
}
