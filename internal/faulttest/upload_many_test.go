package faulttest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// onBlobStores runs a test on a server with each kind of blob store.
func onBlobStores(t *testing.T, test func(t *testing.T, in *installation, s *server, a *api), flags ...string) {
	t.Parallel()
	for name, open := range map[string]func(t *testing.T) []string{
		"folder": func(*testing.T) []string { return nil },
		"s3":     func(t *testing.T) []string { return []string{"--blob-url", testenv.S3(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			in := onSQLite(t)
			in.storage = append(in.storage, open(t)...)
			s := in.serve(t, flags...)
			test(t, in, s, newAPI(t, s.url, in.token(t)))
			in.doctor(t)
			s.stop(t)
		})
	}
}

// Concurrent uploads are accepted as memory allows.
func TestManyUploadsAtOnce(t *testing.T) {
	onBlobStores(t, func(t *testing.T, _ *installation, s *server, a *api) {
		const clients, size = 50, 10 << 20
		var accepted, refused atomic.Int64
		var group sync.WaitGroup
		for client := range clients {
			group.Go(func() {
				for {
					res, asset, err := a.upload(t.Context(), fmt.Sprint("file ", client), size)
					switch {
					case err == nil && res.status == http.StatusServiceUnavailable && res.header.Get("Retry-After") != "":
						refused.Add(1)
						continue
					case err != nil || res.status != http.StatusAccepted || asset.Size != size:
						t.Errorf("have %s, %v", res, err)
					default:
						accepted.Add(1)
					}
					return
				}
			})
		}
		group.Wait()
		s.staysBounded(t)
		t.Logf("%d uploads of %d MiB, %d refused at first", accepted.Load(), size>>20, refused.Load())
	}, "--max-memory", fmt.Sprint(memory), "--page-cache", "16MiB")
}

// Slow uploads take no more memory than others, and only delay other uploads. Unfinished
// ones leave nothing.
func TestPausingUploads(t *testing.T) {
	onBlobStores(t, func(t *testing.T, in *installation, s *server, a *api) {
		const clients, sent = 600, 3 << 20
		other := newBystander(t, a)
		var conns []net.Conn
		var group sync.WaitGroup
		for client := range clients {
			conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			conns = append(conns, conn)
			group.Go(func() {
				head := "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n"
				fmt.Fprintf(conn, "POST /v1/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n%s", a.token, 10<<20, head)
				_, _ = io.Copy(conn, &filler{name: fmt.Sprint(client), size: sent}) // the server may refuse it, and stop reading
			})
		}
		slowest := bystand(t, other)
		for _, conn := range conns {
			conn.Close()
		}
		group.Wait()
		s.staysBounded(t)
		if len(in.storage) == 2 { // no bucket
			until(t, "wait until nothing is left", func() error { return sameNumber(filepath.Join(in.storage[1], "files"), 0) })
		}
		t.Logf("%d uploads paused; slowest of other requests %s", clients, slowest)
	}, "--max-memory", fmt.Sprint(memory), "--page-cache", "16MiB")
}
