// Package pg measures what PostgreSQL can do by itself: it starts a server of
// its own which is as durable as one in production, finds out which statements
// Octavo runs on it, and has pgbench run the same ones bare. It knows no
// statement of Octavo's: they are read from the log of the server.
package pg

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/proc"
)

// settings are those of a production server of modest size. Everything that
// has to do with durability has its default, which is on.
var settings = map[string]string{
	"listen_addresses":  "127.0.0.1",
	"max_connections":   "200",
	"shared_buffers":    "512MB",
	"max_wal_size":      "4GB",
	"logging_collector": "on",
	"log_destination":   "jsonlog",
	"log_directory":     "log",
	"log_filename":      "statements",
	"log_rotation_age":  "0",
	"log_rotation_size": "0",
	"log_min_messages":  "warning",
	"log_checkpoints":   "off",
}

const database = "postgres"

// Server is a PostgreSQL of ours. It is removed when it is closed.
type Server struct {
	URL      string
	bin, dir string
	port     int
	process  *exec.Cmd
	ended    chan error
}

// Start makes a database cluster in a new folder in parent, which must be on a
// disk and reachable for the user that the server runs as, and starts it.
func Start(ctx context.Context, parent string) (s *Server, err error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(parent, "octavo-bench-pg-*")
	if err != nil {
		return nil, fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	s = &Server{bin: bin, dir: dir, ended: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("start PostgreSQL: %w", err), s.Close())
		}
	}()
	owner, err := s.owner()
	if err != nil {
		return nil, err
	}
	if s.port, err = freePort(ctx); err != nil {
		return nil, err
	}
	initdb := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "--pgdata", s.data(), "--username", "octavo",
		"--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8")
	initdb.SysProcAttr, initdb.Dir = owner, dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	args := []string{"-D", s.data(), "-p", strconv.Itoa(s.port), "-c", "unix_socket_directories=" + dir}
	for name, value := range settings {
		args = append(args, "-c", name+"="+value)
	}
	s.process = exec.Command(filepath.Join(bin, "postgres"), args...)
	s.process.SysProcAttr, s.process.Dir = owner, dir
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	go func() { s.ended <- s.process.Wait() }()
	s.URL = fmt.Sprintf("postgres://octavo@127.0.0.1:%d/%s?sslmode=disable", s.port, database)
	return s, s.await(ctx)
}

// programs returns the folder with the programs of the newest PostgreSQL.
func programs() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		path, err := exec.LookPath("postgres")
		if err != nil {
			return "", fmt.Errorf("find PostgreSQL: %w", err)
		}
		found = []string{path}
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// owner returns the user for the server: PostgreSQL refuses to run as root.
func (s *Server) owner() (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT}
	if os.Geteuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)} //nolint:gosec // as the system gave them
	return attr, os.Chown(s.dir, uid, gid)
}

func freePort(ctx context.Context) (int, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// await waits until the server answers.
func (s *Server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		if _, err := s.Query(ctx, "SELECT 1"); err == nil {
			return nil
		}
		select {
		case err := <-s.ended:
			s.ended <- err
			return fmt.Errorf("it ended: %w", err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Query runs one statement and returns its rows as text.
func (s *Server) Query(ctx context.Context, statement string) (string, error) {
	return proc.Output(ctx, filepath.Join(s.bin, "psql"), "--no-psqlrc", "--tuples-only", "--no-align",
		"--set", "ON_ERROR_STOP=1", "--command", statement, s.URL)
}

// Version is that of the server.
func (s *Server) Version(ctx context.Context) (string, error) {
	text, err := s.Query(ctx, "SHOW server_version")
	return regexp.MustCompile(`^[0-9.]+`).FindString(text), err
}

// Durable fails unless commits wait for the disk.
func (s *Server) Durable(ctx context.Context) error {
	for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		value, err := s.Query(ctx, "SHOW "+name)
		if err != nil {
			return err
		}
		if strings.TrimSpace(value) != "on" {
			return fmt.Errorf("PostgreSQL runs with %s = %s: its figures would say nothing", name, value)
		}
	}
	return nil
}

// Close stops the server and removes its folder.
func (s *Server) Close() error {
	if s.process != nil && s.process.Process != nil {
		if err := s.process.Process.Signal(syscall.SIGINT); err == nil { // fast shutdown
			<-s.ended
		}
	}
	return os.RemoveAll(s.dir)
}
