package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// part is one part of a form: its header fields, a blank line, its content.
func part(name, rest, content string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"" + rest + "\r\n\r\n" + content + "\r\n"
}

const formEnd = "--b--\r\n"

// files counts what a blob store holds, finished or not.
func files(t testing.TB, dir string) (n int) {
	t.Helper()
	for _, pattern := range []string{"tmp/*", "[a-z0-9][a-z0-9]/*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		n += len(found)
	}
	return n
}

// startWithFiles starts a server and returns the folder of its files.
func startWithFiles(t testing.TB, o octavotest.Options) (*octavotest.Server, string) {
	t.Helper()
	dir := t.TempDir()
	folder, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	o.Blobs = folder
	return octavotest.Start(t, o), dir
}

// TestBadForms sends forms that must be refused, and looks that nothing is
// kept of them.
func TestBadForms(t *testing.T) {
	t.Parallel()
	s, dir := startWithFiles(t, octavotest.Options{MaxUpload: 100_000})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	file := part("file", "; filename=\"a.txt\"", "text")
	large := part("file", "", strings.Repeat("x", 100_001))
	for _, c := range []struct {
		name, body string
		status     int
		paths      string // of the errors, with spaces between
	}{
		{"nothing", "", 400, ""},
		{"no part", formEnd, 400, "/file"},
		{"no file", part("metadata", "", "{}") + formEnd, 400, "/file"},
		{"an empty file without a name", part("file", "", "") + formEnd, 400, "/file"},
		{"two files", file + file + formEnd, 400, "/file"},
		{"a second file that is empty", file + part("file", "", "") + formEnd, 400, "/file"},
		{"a second file that is large", file + part("file", "", strings.Repeat("x", 1<<20+10_000)) + formEnd, 400, "/file"},
		{"an empty file and another", part("file", "", "") + file + formEnd, 400, "/file /file"},
		{"a part without a name", "--b\r\n\r\ntext\r\n" + formEnd, 400, "/file"},
		{"a name in another case", part("File", "", "text") + formEnd, 400, "/file"},
		{"a part of another disposition", "--b\r\nContent-Disposition: attachment; name=\"file\"\r\n\r\ntext\r\n" + formEnd, 400, "/file"},

		{"metadata twice", part("metadata", "", "{}") + file + part("metadata", "", "{}") + formEnd, 400, "/metadata"},
		{"metadata that is no JSON", part("metadata", "", "{") + file + formEnd, 400, "/metadata"},
		{"metadata that is a list", file + part("metadata", "", "[]") + formEnd, 400, "/metadata"},
		{"metadata that is null", file + part("metadata", "", "null") + formEnd, 400, "/metadata"},
		{"metadata that is empty", file + part("metadata", "", "") + formEnd, 400, "/metadata"},
		{"metadata with members given twice", file + part("metadata", "", `{"alt":"a","alt":"b"}`) + formEnd, 400, "/metadata/alt"},
		{"metadata of wrong types", file + part("metadata", "", `{"alt":1,"caption":[],"tags":{}}`) + formEnd, 400, "/metadata/alt /metadata/caption /metadata/tags"},
		{"metadata with null", file + part("metadata", "", `{"alt":null}`) + formEnd, 400, "/metadata/alt"},
		{"tags given twice", file + part("metadata", "", `{"tags":["a","b","a",1,""]}`) + formEnd, 400, "/metadata/tags/2 /metadata/tags/3 /metadata/tags/4"},
		{"too many tags", file + part("metadata", "", `{"tags":[`+strings.Repeat(`"a",`, 100)+`"a"]}`) + formEnd, 400, "/metadata/tags"},
		{"a long text", file + part("metadata", "", `{"alt":"`+strings.Repeat("é", 10_001)+`"}`) + formEnd, 400, "/metadata/alt"},
		{"NUL", file + part("metadata", "", `{"alt":"\u0000","tags":["\u0000"]}`) + formEnd, 400, "/metadata/alt /metadata/tags/0"},
		{"metadata that is YAML", file + part("metadata", "\r\nContent-Type: application/yaml", "alt: a") + formEnd, 400, "/metadata"},
		{"metadata of a type that is none", file + part("metadata", "\r\nContent-Type: json;;", "{}") + formEnd, 400, "/metadata"},
		{"large metadata", file + part("metadata", "", `{"alt":"`+strings.Repeat(" ", 300<<10)+`"}`) + formEnd, 400, "/metadata"},
		{"a path that leads out", file + part("source", "", "../x") + formEnd, 400, "/source"},
		{"a path from the root", file + part("source", "", "/x") + formEnd, 400, "/source"},
		{"a path with a line end", file + part("source", "", "a\r\nb") + formEnd, 400, "/source"},

		{"too large a file", large + formEnd, 413, ""},
		{"much too large a file", part("file", "", strings.Repeat("x", 3<<20)) + formEnd, 413, ""},
		{"too much beside the file", file + part("other", "", strings.Repeat("x", 1<<20)) + part("more", "", "xx") + formEnd, 413, ""},
		{"too many parts", file + strings.Repeat(part("x", "", ""), 10_000) + formEnd, 400, ""},
		{"endless header fields", file + "--b\r\n" + strings.Repeat("X-A: b\r\n", 10_000) + "\r\n" + formEnd, 400, ""},
		{"an endless header field", "--b\r\nX-A: " + strings.Repeat("b", 200_000) + "\r\n\r\n" + formEnd, 400, ""},
		{"an endless preamble", strings.Repeat("preamble\r\n", 20_000) + file + formEnd, 400, ""},
		{"a header that is none", "--b\r\nno header\r\n\r\ntext\r\n" + formEnd, 400, ""},
		{"no final boundary", file, 400, ""},
		{"cut within the file", file[:len(file)-4], 400, ""},
		{"cut within a header", file + "--b\r\nContent-Dis", 400, ""},
		{"another boundary", strings.ReplaceAll(file+formEnd, "--b", "--c"), 400, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, text := send(t, s, http.MethodPost, "/v1/assets", c.body, "Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b")
			var problem octavo.Problem
			if err := json.Unmarshal([]byte(text), &problem); err != nil {
				t.Fatalf("have %q: %v", text, err)
			}
			var paths []string
			for _, e := range problem.Errors {
				paths = append(paths, e.Path)
			}
			if have := strings.Join(paths, " "); resp.StatusCode != c.status || have != c.paths {
				t.Errorf("have %d at %q (%s), want %d at %q", resp.StatusCode, have, text, c.status, c.paths)
			}
			if n := files(t, dir); n != 0 {
				t.Errorf("%d files are left", n)
			}
		})
	}
	for _, contentType := range []string{"multipart/form-data", "multipart/form-data; boundary=" + strings.Repeat("b", 300)} {
		resp, text := send(t, s, http.MethodPost, "/v1/assets", file+formEnd, "Authorization", bearer, "Content-Type", contentType)
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("Content-Type %.60q: have %d %s, want 400", contentType, resp.StatusCode, text)
		}
	}
	if resp, text := send(t, s, http.MethodPost, "/v1/assets", file+formEnd, "Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b", "Content-Encoding", "gzip"); resp.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("Content-Encoding gzip: have %d %s, want 415", resp.StatusCode, text)
	}
	stats, err := s.Store.Stats(t.Context())
	if err != nil || stats.Assets != 0 || stats.Blobs != 0 {
		t.Errorf("have %+v, %v; want no assets", stats, err)
	}
}

// TestValidForms sends forms that are odd and right.
func TestValidForms(t *testing.T) {
	t.Parallel()
	s, _ := startWithFiles(t, octavotest.Options{MaxUpload: 100_000})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	for _, c := range []struct{ name, body, want string }{
		{"at the limit", part("file", "", strings.Repeat("x", 100_000)) + formEnd, `"size":100000`},
		{"a preamble and an epilogue", "hello\r\n" + part("file", "", "x") + formEnd + "bye", `"size":1,`},
		{"content that looks like a boundary", part("file", "", "--bb is not\r\n--bc neither") + formEnd, `"size":25`},
		{"quoted-printable, which means nothing here", "--b\r\nContent-Disposition: form-data; name=file\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\na=3Db\r\n" + formEnd, `"size":5`},
		{"an extended name in Latin-1", part("file", `; filename*=iso-8859-1''na%EFve%20%A3.txt`, "x") + formEnd, `"name":"naïve £.txt"`},
		{"an extended name before a plain one", part("file", `; filename="a.txt"; filename*=ISO-8859-1'en'b%E9.txt`, "x") + formEnd, `"name":"bé.txt"`},
		{"an extended name in Cyrillic beside a plain one", part("file", `; filename*=koi8-r''%C1b.txt; filename="a.txt"`, "x") + formEnd, `"name":"a.txt"`},
		{"an extended name in Cyrillic", part("file", `; filename*=koi8-r''%C1b.txt`, "x") + formEnd, `"name":"_b.txt"`},
		{"an extended name in UTF-8 and a plain one", part("file", `; filename="a.txt"; filename*=utf-8''%C3%A9.txt`, "x") + formEnd, `"name":"é.txt"`},
		{"an extended name", part("file", `; filename*=UTF-8''%e2%82%ac%20rates.txt`, "x") + formEnd, `"name":"€ rates.txt"`},
		{"parts that nobody knows", strings.Repeat(part("x", "", "y"), 50) + part("file", "", "x") + formEnd, `"size":1`},
		{"no name of the part's file", part("file", "", "x") + formEnd, `"name":"file"`},
		{"metadata last", part("file", "", "x") + part("metadata", "\r\nContent-Type: application/json; charset=utf-8", `{"alt":"<é>"}`) + formEnd, `"metadata":{"alt":"<é>"}`},
	} {
		resp, text := send(t, s, http.MethodPost, "/v1/assets", c.body, "Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b")
		if resp.StatusCode != http.StatusAccepted || !strings.Contains(text, c.want) {
			t.Errorf("%s: have %d %s, want 202 with %s", c.name, resp.StatusCode, text, c.want)
		}
	}
}

// TestNamesOfFiles checks that no name gets out of its place.
func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	s, _ := startWithFiles(t, octavotest.Options{})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	for _, c := range []struct{ name, want string }{
		{"../../x", "x"},
		{`..\\..\\x.txt`, "x.txt"},
		{"a\tb\u0085c", "abc"},
		{"file\u202egnp.exe", "filegnp.exe"},
		{"日本語.png", "日本語.png"},
		{"\xff\xfe.txt", "\uFFFD.txt"},
		{".htaccess", "htaccess"},
		{"..", "file"},
		{"   ", "file"},
		{"a<b>|c?.txt", "a_b__c_.txt"},
		{strings.Repeat("n", 10<<10) + ".png", strings.Repeat("n", 196) + ".png"},
	} {
		resp, text := send(t, s, http.MethodPost, "/v1/assets", part("file", `; filename="`+c.name+`"`, "x")+formEnd,
			"Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b")
		var asset octavo.Asset
		if err := json.Unmarshal([]byte(text), &asset); err != nil || asset.Name != c.want {
			t.Errorf("%.40q: have %d %q, %v; want %.40q", c.name, resp.StatusCode, asset.Name, err, c.want)
			continue
		}
		got, body := send(t, s, http.MethodGet, strings.TrimPrefix(asset.URL, s.URL), "")
		if got.StatusCode != http.StatusOK || body != "x" || len(got.Header["Content-Disposition"]) != 1 {
			t.Errorf("%.40q: reading %s: have %d %q %v", c.name, asset.URL, got.StatusCode, body, got.Header)
		}
	}
	// A line end in a header ends it.
	resp, text := send(t, s, http.MethodPost, "/v1/assets", part("file", "; filename=\"a\r\nX-Injected: \"", "x")+formEnd,
		"Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b")
	if resp.Header.Get("X-Injected") != "" || strings.Contains(text, "\r") {
		t.Errorf("have %v %q", resp.Header, text)
	}
}

// TestMislabelledBodies sends less than they say, and more.
func TestMislabelledBodies(t *testing.T) {
	t.Parallel()
	s, dir := startWithFiles(t, octavotest.Options{})
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	body := part("file", "", "some text") + formEnd
	for _, c := range []struct {
		name   string
		length int
		close  bool
		status int
	}{
		{"shorter than it is", len(body) - 12, false, http.StatusBadRequest},
		{"longer than it is", len(body) + 10_000, true, http.StatusAccepted}, // the form is whole
		{"a little longer within the file", 1 << 20, true, 0},
	} {
		text := body
		if c.status == 0 {
			text = body[:len(body)-20]
		}
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /v1/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n%s", token, c.length, text)
		if c.close {
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		switch {
		case c.status == 0 && err == nil && resp.StatusCode != http.StatusBadRequest:
			t.Errorf("%s: have %s, want 400 or nothing", c.name, resp.Status)
		case c.status != 0 && (err != nil || resp.StatusCode != c.status):
			t.Errorf("%s: have %v, %v; want %d", c.name, resp, err, c.status)
		}
		conn.Close()
	}
	if n := files(t, dir); n != 1 {
		t.Errorf("%d files are left, want 1", n)
	}
}

// FuzzForm checks that no form makes the server fail or leave bytes behind.
func FuzzForm(f *testing.F) {
	s, dir := startWithFiles(f, octavotest.Options{MaxUpload: 10_000})
	bearer := "Bearer " + s.Token(f, auth.Grant{Scopes: octavo.ScopeWrite})
	f.Add([]byte(part("file", "; filename=a.txt", "text")+part("metadata", "\r\nContent-Type: application/json", `{"alt":"a","tags":["b"]}`)+formEnd), "b")
	f.Add([]byte("--b\r\n\r\n--b\r\n--b--"), "b")
	f.Add([]byte("--\"\r\n"), "\"")
	f.Fuzz(func(t *testing.T, body []byte, boundary string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/assets", bytes.NewReader(body))
		if err != nil {
			return
		}
		req.RemoteAddr, req.RequestURI = "192.0.2.1:1", "/v1/assets"
		req.Header.Set("Authorization", bearer)
		req.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
		w := newRecorder()
		s.Handler.ServeHTTP(w, req)
		if w.status >= 500 || w.status == 0 {
			t.Errorf("have %d %s", w.status, w.body.String())
		}
		stats, err := s.Store.Stats(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if n := files(t, dir); int64(n) != stats.Blobs {
			t.Errorf("%d files for %d blobs", n, stats.Blobs)
		}
	})
}

// memoryRecorder is the smallest http.ResponseWriter.
type memoryRecorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder() *memoryRecorder { return &memoryRecorder{header: http.Header{}} }

func (w *memoryRecorder) Header() http.Header    { return w.header }
func (w *memoryRecorder) WriteHeader(status int) { w.status = status }
func (w *memoryRecorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.body.Write(p)
}

// TestCutConnections cuts uploads off at every stage: nothing is left
// of those that were not whole.
func TestCutConnections(t *testing.T) {
	t.Parallel()
	s, dir := startWithFiles(t, octavotest.Options{})
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	body := part("metadata", "", `{"alt":"a"}`) + part("file", "", strings.Repeat("text ", 100_000)) + part("source", "", "a/b.txt") + formEnd
	head := fmt.Sprintf("POST /v1/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n", token, len(body))
	cuts := []int{0, 1, 50, 120, 130, 140, 150, 200, 250, 1000, 200_000, len(body) - 120, len(body) - 100, len(body) - 50, len(body) - 8, len(body) - 4}
	for _, cut := range cuts {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(head + body[:cut])); err != nil {
			t.Fatal(err)
		}
		// The server has read what was sent when it answers or hangs up.
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil && resp.StatusCode != http.StatusBadRequest {
			t.Errorf("cut after %d of %d bytes: have %s, want 400 or nothing", cut, len(body), resp.Status)
		}
		conn.Close()
		if n := files(t, dir); n != 0 {
			t.Errorf("cut after %d of %d bytes: %d files are left", cut, len(body), n)
		}
	}
}
