package faulttest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// bucket is a separate S3 server, so that a test can stop it.
type bucket struct {
	url, address string
	dir, program string
	process      *exec.Cmd // nil while it is stopped
}

// newBucket makes and starts a server that ends with the test.
func newBucket(t testing.TB) *bucket {
	t.Helper()
	b := &bucket{program: testenv.S3Program(t), dir: t.TempDir(), address: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	b.url = (&url.URL{
		Scheme: "s3", User: url.UserPassword("octavo", "chaos-secret"), Host: b.address, Path: "/octavo", RawQuery: "insecure=true&region=us-east-1",
	}).String()
	if err := os.MkdirAll(filepath.Join(b.dir, "octavo"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.stop(t) })
	b.start(t)
	return b
}

// start starts the server and waits until it accepts connections.
func (b *bucket) start(t testing.TB) {
	t.Helper()
	b.process = exec.Command(b.program, "--port", b.address, "--quiet", "posix", b.dir)
	b.process.Env = append(os.Environ(), "ROOT_ACCESS_KEY=octavo", "ROOT_SECRET_KEY=chaos-secret")
	b.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := b.process.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "wait for the S3 server", func() error {
		c, err := net.Dial("tcp", b.address)
		if err != nil {
			return err
		}
		return c.Close()
	})
}

// stop ends the server.
func (b *bucket) stop(t testing.TB) {
	t.Helper()
	if b.process == nil {
		return
	}
	if err := b.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	_ = b.process.Wait() // the signal is an exit code too
	b.process = nil
}
