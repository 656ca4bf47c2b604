package faulttest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// cluster is a separate PostgreSQL server, so that a test can stop it.
type cluster struct {
	url, address string
	dir, bin     string
	port         int
	process      *exec.Cmd // nil while it is stopped
}

// newCluster makes and starts a server that ends with the test.
func newCluster(t testing.TB) *cluster {
	t.Helper()
	c := &cluster{bin: testenv.PostgresPrograms(t), port: freePort(t)}
	c.address = net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port))
	c.url = "postgres://octavo@" + c.address + "/postgres?sslmode=disable"
	var err error
	// The server's user must be able to reach the folder.
	if c.dir, err = os.MkdirTemp("/tmp", "octavo-cluster-*"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.stop(t, syscall.SIGQUIT)
		if err := os.RemoveAll(c.dir); err != nil {
			t.Error(err)
		}
	})
	if owner := c.owner(t); owner.Credential != nil {
		if err := os.Chown(c.dir, int(owner.Credential.Uid), int(owner.Credential.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	initdb := c.command(t, "initdb", "-D", filepath.Join(c.dir, "data"), "-U", "octavo", "--auth=trust", "--encoding=UTF8",
		"--locale=C.UTF-8", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	c.start(t)
	return c
}

// start starts the server and waits until it accepts connections.
func (c *cluster) start(t testing.TB) {
	t.Helper()
	// Only processes crash here, never the machine, so nothing is synced.
	c.process = c.command(t, "postgres", "-D", filepath.Join(c.dir, "data"), "-p", strconv.Itoa(c.port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+c.dir, "-c", "max_connections=100",
		"-c", "fsync=off", "-c", "full_page_writes=off")
	if err := c.process.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "wait for PostgreSQL", func() error {
		connection, err := pgx.Connect(t.Context(), c.url)
		if err != nil {
			return err
		}
		return connection.Close(t.Context())
	})
}

// stop ends the server: SIGINT ends its sessions first, SIGQUIT does not and
// leaves a crash to recover from.
func (c *cluster) stop(t testing.TB, how syscall.Signal) {
	t.Helper()
	if c.process == nil {
		return
	}
	if err := c.process.Process.Signal(how); err != nil {
		t.Error(err)
	}
	_ = c.process.Wait() // a crash has an exit code too
	c.process = nil
}

func (c *cluster) command(t testing.TB, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir, cmd.SysProcAttr = c.dir, c.owner(t)
	return cmd
}

// owner returns the user for the server: PostgreSQL refuses to run as root.
func (c *cluster) owner(t testing.TB) *syscall.SysProcAttr {
	t.Helper()
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT}
	if os.Geteuid() != 0 {
		return attr
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	var uid, gid uint32
	if _, err := fmt.Sscan(u.Uid+" "+u.Gid, &uid, &gid); err != nil {
		t.Fatal(err)
	}
	attr.Credential = &syscall.Credential{Uid: uid, Gid: gid}
	return attr
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
