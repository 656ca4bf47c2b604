package assets

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"strings"
	"testing"
)

func TestContentType(t *testing.T) {
	t.Parallel()
	pngHead := "\x89PNG\r\n\x1a\n"
	for _, c := range []struct{ bytes, claimed, name, want string }{
		{pngHead, "text/html", "x.html", "image/png"},
		{"GIF89a<script>alert(1)</script>", "text/html", "x.html", "image/gif"},
		{"%PDF-1.7 <html>", "text/plain", "", "application/pdf"},
		{"<html><body>", "image/png", "a.png", "text/html; charset=utf-8"},
		{"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/png", "", "image/svg+xml"},
		{"PK\x03\x04", "application/vnd.example.thing", "", "application/vnd.example.thing"},
		{"PK\x03\x04", "image/png", "", "application/zip"},
		{"plain words", "", "", "text/plain; charset=utf-8"},
		{"plain words", "image/png", "a.png", "text/plain; charset=utf-8"},
		{"plain words", "text/html", "a.html", "text/plain; charset=utf-8"},
		{"plain words", "text/javascript", "a.js", "text/plain; charset=utf-8"},
		{"plain words", "text/markdown", "", "text/markdown; charset=utf-8"},
		{"plain words", "application/octet-stream", "README.MD", "text/markdown; charset=utf-8"},
		{"plain words", "TEXT/X-Thing; charset=latin1", "", "text/x-thing; charset=utf-8"},
		{"plain words", "no type", "style.css", "text/css; charset=utf-8"},
		{"plain words", "application/x-shockwave-flash", "", "text/plain; charset=utf-8"},
		{"#!/usr/bin/env node\nconsole.log(1)", "", "x.js", "text/plain; charset=utf-8"},
		{`{"a":1}`, "application/ld+json", "", "application/ld+json"},
		{`{"a":1}`, "text/html", "", "application/json"},
		{"\x00\x01\x02\x03\xff\xfe", "application/x-thing", "", "application/x-thing"},
		{"\x00\x01\x02\x03\xff\xfe", "image/png", "", "application/octet-stream"},
		{"\x00\x01\x02\x03\xff\xfe", "application/xhtml+xml", "", "application/octet-stream"},
		{"\x00\x01\x02\x03\xff\xfe", "application/" + strings.Repeat("x", 200), "", "application/octet-stream"},
		{"\x00\x01\x02\x03\xff\xfe", "multipart/mixed", "", "application/octet-stream"},
		// What is two things at once is the one that no browser runs, or a download.
		{"\xef\xbb\xbf<svg onload=alert(1)>", "image/png", "", "text/plain; charset=utf-8"},
		{"<!-- " + strings.Repeat("x", 4000) + " --><svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/png", "", "image/svg+xml"},
		{strings.Repeat(" ", 4000) + "<script>alert(1)</script>", "text/plain", "a.txt", "text/html; charset=utf-8"},
		{"\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", "text/html", "a.html", "text/plain; charset=utf-16le"},
		{"\xff\xd8\xff\xe0 */=alert(1)/*", "text/javascript", "a.js", "image/jpeg"},
		{"GIF89a=1;alert(1)", "text/javascript", "a.js", "image/gif"},
		{"<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><script/></html>", "image/png", "", "application/xhtml+xml"},
		{"<?xml version=\"1.0\"?><?xml-stylesheet href=\"x\"?><a/>", "image/png", "", "text/xml; charset=utf-8"},
		{"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n<html>", "message/rfc822", "a.mht", "text/plain; charset=utf-8"},
		// A file may say of itself what it likes, in a header nothing but names.
		{"<html><meta charset=\"ISO-8859-1\">", "", "", "text/html; charset=ISO-8859-1"},
		{"<html><meta charset=\"a\r\nX-Injected: b\">", "", "", "text/html"},
		{"<html><meta charset=\"utf-8; boundary=b\">", "", "", "text/html"},
		{"<html><meta charset=\"\xff\">", "", "", "text/html"},
		{"<html><meta charset=\"" + strings.Repeat("u", 500) + "\">", "", "", "text/html"},
		{"<?xml version=\"1.0\" encoding=\"a\nb\"?><a/>", "", "", "text/xml"},
		{"PK\x05\x06" + strings.Repeat("\x00", 18) + "<html><script>", "text/html", "a.html", "application/zip"},
	} {
		if have := contentType([]byte(c.bytes), c.claimed, c.name); have != c.want {
			t.Errorf("%q claimed as %q, named %q: have %s, want %s", c.bytes, c.claimed, c.name, have, c.want)
		}
	}
}

func TestInline(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string]bool{
		"image/png": true, "image/avif": true, "video/mp4": true, "audio/mpeg": true, "font/woff2": true,
		"text/plain; charset=utf-8": true, "text/markdown; charset=utf-8": true, "application/json": true,
		"image/svg+xml": false, "text/html; charset=utf-8": false, "application/xhtml+xml": false, "text/xml": false,
		"application/pdf": false, "application/zip": false, "application/octet-stream": false, "text/x-php": false,
		"application/vnd.adobe.flash.movie": false, "": false,
	} {
		if have := Inline(contentType); have != want {
			t.Errorf("%q: have %t, want %t", contentType, have, want)
		}
	}
}

func TestImageSize(t *testing.T) {
	t.Parallel()
	var good bytes.Buffer
	if err := png.Encode(&good, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	lying := func(width, height uint32) []byte { // the checksum is not looked at before the pixels
		b := bytes.Clone(good.Bytes())
		binary.BigEndian.PutUint32(b[16:], width)
		binary.BigEndian.PutUint32(b[20:], height)
		return b
	}
	for _, c := range []struct {
		name, contentType string
		head              []byte
		width, height     int
	}{
		{"PNG", "image/png", good.Bytes(), 30, 20},
		{"its start alone", "image/png", good.Bytes()[:40], 30, 20},
		{"as another type", "image/gif", good.Bytes(), 0, 0},
		{"cut within the header", "image/png", good.Bytes()[:20], 0, 0},
		{"2 billion pixels wide", "image/png", lying(1<<31-1, 1), 0, 0},
		{"no pixels", "image/png", lying(0, 0), 0, 0},
		{"GIF", "image/gif", []byte("GIF89a\x02\x00\x03\x00\x00\x00\x00"), 2, 3},
		{"BMP that ends", "image/bmp", []byte("BM"), 0, 0},
		{"WebP that ends", "image/webp", []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), 0, 0},
		{"SVG", "image/svg+xml", []byte("<?xml version='1.0'?><!-- a --><svg width='20px' height='10.4' viewBox='0 0 1 1'><svg width='1' height='1'/>"), 20, 10},
		{"SVG by its box", "image/svg+xml", []byte("<svg:svg xmlns:svg='http://www.w3.org/2000/svg' width='100%' viewBox='0,0 24 16'>"), 24, 16},
		{"SVG in GB2312", "image/svg+xml", []byte("<?xml version='1.0' encoding='GB2312'?><!-- \xd6\xd0 --><svg width='20' height='10'/>"), 20, 10},
		{"SVG of no pixels", "image/svg+xml", []byte("<svg width='1em' height='1e99'>"), 0, 0},
		{"SVG within HTML", "image/svg+xml", []byte("<p><svg width='1' height='1'>"), 0, 0},
		{"SVG that ends", "image/svg+xml", []byte("<svg width='1' hei"), 0, 0},
		{"SVG with entities", "image/svg+xml", []byte("<!DOCTYPE svg [<!ENTITY a '1'><!ENTITY b '&a;&a;'>]><svg width='&b;' height='1'>"), 0, 0},
		{"AVIF", "image/avif", []byte("\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x08\x00\x00\x00\x08\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x80"), 256, 128},
		{"AVIF that ends", "image/avif", []byte("\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00"), 0, 0},
		{"AVIF that lies", "image/avif", []byte("\x00\x00\x00\x14ispe\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"), 0, 0},
	} {
		if w, h := imageSize(c.contentType, c.head); w != c.width || h != c.height {
			t.Errorf("%s: have %d × %d, want %d × %d", c.name, w, h, c.width, c.height)
		}
	}
}
