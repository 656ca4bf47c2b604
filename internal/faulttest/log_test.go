package faulttest

import (
	"bufio"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A log that nobody reads holds up neither requests nor the end.
func TestLogThatNobodyReads(t *testing.T) {
	t.Parallel()
	const requests, most = 2000, 10 * time.Second
	in := onSQLite(t)
	token := in.token(t)
	log, stderr, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close() //nolint:errcheck // it is only read
	cmd := in.octavo("serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0", "--rate-limit", "0", "--shutdown-timeout", "5s")
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = stderr.Close() // the process has it
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended
	url := ""
	for lines := bufio.NewScanner(log); url == "" && lines.Scan(); {
		_, url, _ = strings.Cut(lines.Text(), "octavo: listening on ")
	}
	a := newAPI(t, url, token) // from here on nobody reads
	for i := range requests {
		res, err := a.do(t.Context(), call{method: http.MethodGet, path: "/pages?limit=1"})
		if err != nil || res.status != http.StatusOK {
			t.Fatalf("request %d: have %s, %v", i, res, err)
		}
	}
	start := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(most):
		t.Errorf("the server did not end within %s", most)
		_ = cmd.Process.Kill() // the test has failed
		<-ended
	}
	t.Logf("%d requests, ended after %s", requests, time.Since(start).Round(time.Millisecond))
}
