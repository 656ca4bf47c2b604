package faulttest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// limit is the time limit of every wait. The longest limit of the server in these tests is
// 2 minutes.
const limit = 3 * time.Minute

// installation is the storage of a server, with a way to run programs on it.
type installation struct {
	storage []string // the flags that name it
	command func(name string, args ...string) *exec.Cmd
}

func onSQLite(t testing.TB) *installation {
	return &installation{[]string{"--data", t.TempDir()}, exec.Command}
}

func onPostgres(t testing.TB) *installation { return onDatabase(t, testenv.Postgres(t)) }

func onDatabase(t testing.TB, url string) *installation {
	return &installation{[]string{"--database-url", url, "--data", t.TempDir()}, exec.Command}
}

// databases are the installations that most tests run on.
func databases() map[string]func(testing.TB) *installation {
	return map[string]func(testing.TB) *installation{"sqlite": onSQLite, "postgres": onPostgres}
}

// octavo returns a command of the program, without options from the environment.
func (i *installation) octavo(args ...string) *exec.Cmd {
	cmd := i.command(program, append(args, i.storage...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "OCTAVO_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	return cmd
}

// token issues an access token that may write.
func (i *installation) token(t testing.TB) string {
	t.Helper()
	return i.tokenFor(t, "pages:write")
}

func (i *installation) tokenFor(t testing.TB, scopes string) string {
	t.Helper()
	cmd := i.octavo("tokens", "issue", "--scopes", scopes, "--ttl", "24h")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("issue a token: %v: %s", err, &stderr)
	}
	return strings.TrimSpace(string(out))
}

// doctor fails the test if octavo doctor finds damage.
func (i *installation) doctor(t testing.TB) {
	t.Helper()
	if out, err := i.octavo("doctor").CombinedOutput(); err != nil {
		t.Errorf("octavo doctor: %v\n%s", err, out)
	}
}

// server is a running process of the program.
type server struct {
	url, ops string
	cmd      *exec.Cmd
	log      *record
	err      error // why it ended, once done is closed
	done     chan struct{}
}

// serve starts a server without a rate limit and waits until it is ready. It
// is killed with the test unless it has ended before.
func (i *installation) serve(t testing.TB, flags ...string) *server {
	t.Helper()
	s := &server{log: &record{}, done: make(chan struct{})}
	s.cmd = i.octavo(append([]string{
		"serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0", "--rate-limit", "0", "--log-level", "warn",
	}, flags...)...)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan struct{})
	go func() {
		defer close(s.done)
		s.read(stderr, ready)
		s.err = s.cmd.Wait()
	}()
	t.Cleanup(func() {
		s.kill()
		if t.Failed() {
			t.Logf("the end of the server's log:\n%s", s.log)
		}
	})
	select {
	case <-ready:
	case <-s.done:
		t.Fatalf("the server ended: %v\n%s", s.err, s.log)
	case <-time.After(limit):
		t.Fatalf("the server was not ready within %s\n%s", limit, s.log)
	}
	return s
}

// read records the log of the server and its addresses.
func (s *server) read(r io.Reader, ready chan<- struct{}) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		s.log.add(line)
		if url, ok := strings.CutPrefix(line, "octavo: operations on "); ok {
			s.ops = url
		}
		if url, ok := strings.CutPrefix(line, "octavo: listening on "); ok {
			s.url = url
			close(ready)
		}
	}
}

func (s *server) pid() int { return s.cmd.Process.Pid }

// kill ends the process as a crash would, and waits for its end.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.done
}

// stop asks the server to end and fails the test unless it does so gracefully.
func (s *server) stop(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	select {
	case <-s.done:
		if s.err != nil {
			t.Errorf("the server ended with %v\n%s", s.err, s.log)
		}
	case <-time.After(limit):
		t.Errorf("the server did not stop within %s\n%s", limit, s.log)
	}
}

// record keeps the last lines of a log, and those that tell of a defect.
type record struct {
	mu            sync.Mutex
	lines, faults []string
}

func (r *record) add(line string) {
	const most = 20
	r.mu.Lock()
	defer r.mu.Unlock()
	if (strings.Contains(line, "problem=internal") || strings.Contains(line, "panic")) && len(r.faults) < most {
		r.faults = append(r.faults, line)
	}
	if len(r.lines) == most {
		r.lines = r.lines[1:]
	}
	r.lines = append(r.lines, line)
}

// String returns the lines.
func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(append(slices.Clone(r.faults), r.lines...), "\n")
}
