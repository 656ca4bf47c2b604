package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// closedPipe is where nobody reads any more.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestExportReplacesNoFile, not even one that came while it was made, and keeps
// what it made when the name of that cannot be printed.
func TestExportReplacesNoFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		others string // that somebody else puts there meanwhile
		out    io.Writer
		want   string // in the file at the end
		says   string
	}{
		{"alone", "", io.Discard, "made", ""},
		{"overtaken", "theirs", io.Discard, "theirs", "another process"},
		{"nobody reads", "", closedPipe{}, "made", "closed pipe"},
	} {
		dir := t.TempDir()
		e := exportCommand{Out: filepath.Join(dir, "out.zip")}
		err := e.toFile(&program{stdout: c.out, stderr: io.Discard}, func(w io.Writer) (octavo.ExportReport, error) {
			if c.others != "" {
				if err := os.WriteFile(e.Out, []byte(c.others), 0o600); err != nil {
					t.Error(err)
				}
			}
			_, err := io.WriteString(w, "made")
			return octavo.ExportReport{}, err
		})
		if (c.says == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), c.says) || errors.Is(err, fs.ErrNotExist)) {
			t.Errorf("%s: have the error %v, want %q", c.name, err, c.says)
		}
		if have, err := os.ReadFile(e.Out); string(have) != c.want {
			t.Errorf("%s: have %q, %v in the file, want %q", c.name, have, err, c.want)
		}
		if left, err := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s: have %v, %v, want the file alone", c.name, left, err)
		}
	}
}

// TestExportInterrupted ends soon, even when the server that was to
// remove what it made so far has other things to do.
func TestExportInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	removals := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprint(w, `{"id":"exp_01h455vb4pex5vsknk084sn02q","status":"queued"}`)
		case http.MethodGet:
			interrupt()
			<-r.Context().Done()
		case http.MethodDelete:
			if r.URL.Path != "/v1/exports/exp_01h455vb4pex5vsknk084sn02q" {
				t.Errorf("have %s removed, want the export", r.URL.Path)
			}
			removals <- struct{}{}
			w.Header().Set("Retry-After", "100")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	var said bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, []string{"export", "--url", server.URL, "--token", "x", "--format", "pdf", "--out", filepath.Join(t.TempDir(), "a.pdf")}, strings.NewReader(""), io.Discard, &said)
	}()
	select {
	case code := <-ended:
		if code != exitFailed || !strings.Contains(said.String(), "not removed from the server") || len(removals) != 1 {
			t.Errorf("have code %d, %q after %d tries to remove it; want 1, one that says so, 1", code, said.String(), len(removals))
		}
	case <-time.After(time.Minute):
		t.Error("it still waits for the server")
	}
}
