package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestBehindNginx runs nginx as docs/operating/proxies.md configures it, at the root
// of a host and below a path.
func TestBehindNginx(t *testing.T) {
	program := testenv.Nginx(t)
	page, err := os.ReadFile("../../docs/operating/proxies.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```nginx\n(.*?)```").FindAllSubmatch(page, -1)
	for i, prefix := range []string{"", "/docs-api"} {
		t.Run("below "+prefix, func(t *testing.T) {
			t.Parallel()
			behindNginx(t, program, string(blocks[i][1]), prefix)
		})
	}
}

func behindNginx(t *testing.T, program, config, prefix string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	host := listener.Addr().String()
	public, data := "http://"+host+prefix, filepath.Join(t.TempDir(), "data")
	address := serving(t, "serve", "--addr", "127.0.0.1:0", "--ops-addr=", "--data", data, "--public-url", public, "--trusted-proxies", "127.0.0.1/32")
	var token strings.Builder
	if code := Run(t.Context(), []string{"tokens", "issue", "--data", data, "--scopes", "pages:write"}, strings.NewReader(""), &token, io.Discard); code != 0 {
		t.Fatalf("tokens issue: exit code %d", code)
	}

	config = regexp.MustCompile(`ssl_certificate.*`).ReplaceAllString(config, "")
	config = strings.NewReplacer("listen 443 ssl;", "listen "+host+";", "http://127.0.0.1:8080", "http://"+address).Replace(config)
	dir := t.TempDir()
	whole := fmt.Sprintf("daemon off; pid %[1]s/pid; error_log stderr; events {} http { access_log off; client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; "+
		"fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;\n%[2]s}", dir, config)
	if err := os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	nginx := exec.CommandContext(t.Context(), program, "-p", dir, "-e", "stderr", "-c", filepath.Join(dir, "nginx.conf"))
	nginx.Cancel = func() error { return nginx.Process.Signal(os.Interrupt) } // ends its workers too
	// nginx serves the open socket, where requests wait until it has started.
	nginx.ExtraFiles, nginx.Env, nginx.Stderr = []*os.File{socket}, append(os.Environ(), "NGINX=3;"), os.Stderr
	if err := nginx.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = nginx.Wait() })

	ask := func(method, url, body string, header ...string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token.String()))
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.Header.Get("Content-Type") == "text/event-stream" {
			line, err := bufio.NewReader(resp.Body).ReadString('\n')
			if err != nil {
				t.Error(err)
			}
			return resp, line
		}
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Error(err)
		}
		return resp, string(text)
	}
	long := strings.Repeat("much text to compress. ", 1000)
	made, text := ask("POST", public+"/v1/pages", `{"title":"A","slug":"a b","content":""}`, "Content-Type", "application/json")
	if made.StatusCode != 400 || !strings.Contains(text, "/problems/invalid-request") {
		t.Errorf("a bad page: have %d %s", made.StatusCode, text)
	}
	made, text = ask("POST", public+"/v1/pages", `{"title":"A","slug":"a","content":"`+long+`"}`, "Content-Type", "application/json")
	at := made.Header.Get("Location")
	if made.StatusCode != 201 || !strings.HasPrefix(at, public+"/v1/pages/") {
		t.Fatalf("a page: have %d at %q: %s", made.StatusCode, at, text)
	}
	read, _ := ask("GET", at, "", "Accept-Encoding", "gzip")
	if tag := read.Header.Get("ETag"); read.Header.Get("Content-Encoding") != "gzip" || strings.HasPrefix(tag, "W/") {
		t.Errorf("a read: have %v, want it compressed with a strong tag", read.Header)
	}
	changed, text := ask("PATCH", at, `{"title":"B"}`, "Content-Type", "application/json", "If-Match", read.Header.Get("ETag"))
	if changed.StatusCode != 200 {
		t.Errorf("a change: have %d %s", changed.StatusCode, text)
	}
	file := strings.Repeat("x", 2<<20)
	up, text := ask("POST", public+"/v1/assets", "--b\r\nContent-Disposition: form-data; name=file; filename=\"a b.bin\"\r\n\r\n"+file+"\r\n--b--\r\n", "Content-Type", "multipart/form-data; boundary=b")
	var asset struct{ URL string }
	if err := json.Unmarshal([]byte(text), &asset); err != nil || up.StatusCode != 202 {
		t.Fatalf("an upload: have %d %s", up.StatusCode, text)
	}
	if _, have := ask("GET", asset.URL, ""); have != file {
		t.Errorf("%s: have %d bytes, want %d", asset.URL, len(have), len(file))
	}
	if stream, line := ask("GET", public+"/v1/events", "", "Accept", "text/event-stream"); stream.StatusCode != 200 || !strings.HasPrefix(line, "id: ") {
		t.Errorf("a stream: have %d %q", stream.StatusCode, line)
	}
	for _, name := range []string{"oauth-authorization-server", "openid-configuration"} {
		if _, text := ask("GET", "http://"+host+"/.well-known/"+name+prefix, ""); !strings.Contains(text, `"issuer":"`+public+`"`) {
			t.Errorf("%s: have %s", name, text)
		}
	}
	if _, text := ask("GET", "http://"+host+"/.well-known/oauth-protected-resource"+prefix, ""); !strings.Contains(text, `"resource":"`+public+`"`) {
		t.Errorf("the description of the API: have %s", text)
	}
	if login, text := ask("GET", public+"/login", ""); login.StatusCode != 200 || !strings.Contains(text, `action="`+prefix+`/login"`) {
		t.Errorf("sign-in: have %d %s", login.StatusCode, text)
	}
}

// serving runs a server until the test ends and returns the address that it listens on.
func serving(t *testing.T, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Run(ctx, args, strings.NewReader(""), io.Discard, writer)
		_ = writer.Close()
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	lines := bufio.NewScanner(reader)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "listening on http://"); ok {
			go func() { _, _ = io.Copy(io.Discard, reader) }()
			return address
		}
	}
	t.Fatal("the server ended before it listened")
	return ""
}
