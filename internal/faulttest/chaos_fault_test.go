package faulttest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// node is one of the processes, with its own disk, clock, and connections to the database
// and the bucket.
type node struct {
	name    string
	index   string // where this process finds the index that it saves
	in      *installation
	proxy   *proxy // to the database
	files   *proxy // to the bucket
	clock   *clock
	server  *server
	address atomic.Pointer[string] // nil while it is down
}

// up starts the process.
func (n *node) up(t testing.TB) {
	t.Helper()
	n.server = n.in.serve(t, "--allow-private-destinations", "127.0.0.0/8", "--drain", "200ms")
	address := strings.TrimPrefix(n.server.url, "http://")
	n.address.Store(&address)
}

// down ends the process by a crash or a regular stop.
func (n *node) down(t testing.TB, graceful bool) {
	t.Helper()
	if graceful {
		n.address.Store(nil) // what is on its way there comes while it drains
		n.server.stop(t)
		return
	}
	n.server.kill()
	n.address.Store(nil)
}

// chaos is the installation under faults.
type chaos struct {
	t        *testing.T
	rng      *rand.Rand
	database *cluster
	bucket   *bucket
	disk     *testenv.Disk // of the last process
	nodes    []*node
	report   *chaosReport
}

// diskSize is just enough for the files of a process without its index.
const diskSize = 32 << 20

func newChaos(t *testing.T) *chaos {
	t.Helper()
	c := &chaos{
		t: t, rng: chance(20 << 16), database: newCluster(t), bucket: newBucket(t), disk: testenv.SmallDisk(t, diskSize),
		report: &chaosReport{begun: time.Now(), counts: map[string]map[string]int{}},
	}
	c.database.ownClock(t)
	binary := stepped(t)
	for i := range 3 {
		n := &node{name: fmt.Sprintf("process %d", i+1), clock: newClock(t)}
		n.proxy, n.files = newProxy(t, c.database.address, chance(21<<16+uint64(i))), newProxy(t, c.bucket.address, chance(25<<16+uint64(i)))
		folder, command := t.TempDir(), exec.Command
		if i == 2 {
			folder, command = c.disk.Path, c.disk.Command
		}
		const index = app.SearchFolder + "/" + live.SnapshotFile
		n.index = filepath.Join(folder, index)
		if i == 2 {
			n.index = c.disk.File(index)
		}
		n.in = &installation{
			storage: []string{
				"--database-url", strings.Replace(c.database.url, c.database.address, n.proxy.address, 1), "--data", folder,
				"--blob-url", strings.Replace(c.bucket.url, c.bucket.address, n.files.address, 1),
			},
			command: func(_ string, args ...string) *exec.Cmd {
				made := command(binary, args...)
				made.Env = []string{"STEPPED_CLOCK=" + n.clock.path}
				return made
			},
		}
		n.up(t)
		c.nodes = append(c.nodes, n)
	}
	return c
}

// fault breaks the installation in one way, and repairs it.
type fault func(c *chaos)

// faults are all faults. Each occurs once before any is repeated.
func faults() []fault {
	return []fault{
		(*chaos).killOne, (*chaos).killOne, (*chaos).killAll, (*chaos).restartEach, (*chaos).stopDatabase, (*chaos).crashDatabase,
		(*chaos).killWithoutDatabase, (*chaos).cutConnections, (*chaos).stallConnections, (*chaos).stopBucket, (*chaos).cutFiles, (*chaos).stallFiles,
		(*chaos).fillDisk, (*chaos).stepClock, (*chaos).stepClock,
	}
}

func (c *chaos) one() *node { return pick(c.rng, c.nodes) }

// pause waits for a random time.
func (c *chaos) pause(most time.Duration) {
	<-time.After(most/4 + time.Duration(c.rng.Int64N(int64(most*3/4))))
}

func (c *chaos) killOne() {
	n := c.one()
	c.report.fault("%s is killed", n.name)
	n.down(c.t, false)
	c.pause(400 * time.Millisecond)
	n.up(c.t)
}

func (c *chaos) killAll() {
	c.report.fault("all processes are killed")
	for _, n := range c.nodes {
		n.down(c.t, false)
	}
	for _, n := range c.nodes {
		n.up(c.t)
	}
}

func (c *chaos) restartEach() {
	c.report.fault("each process is told to stop, and started again, in turn")
	for _, n := range c.nodes {
		n.down(c.t, true)
		n.up(c.t)
	}
}

func (c *chaos) stopDatabase() {
	c.report.fault("PostgreSQL is stopped")
	c.database.stop(c.t, syscall.SIGINT)
	c.pause(time.Second)
	c.database.start(c.t)
}

func (c *chaos) crashDatabase() {
	c.report.fault("PostgreSQL crashes")
	c.database.stop(c.t, syscall.SIGQUIT)
	c.pause(time.Second)
	c.database.start(c.t)
}

func (c *chaos) killWithoutDatabase() {
	n := c.one()
	c.report.fault("PostgreSQL is stopped, and %s is killed while it is away", n.name)
	c.database.stop(c.t, syscall.SIGINT)
	c.pause(500 * time.Millisecond)
	n.down(c.t, false)
	c.database.start(c.t)
	n.up(c.t)
}

func (c *chaos) cutConnections() { n := c.one(); c.cut(n, n.proxy, "PostgreSQL") }

func (c *chaos) stallConnections() { n := c.one(); c.stall(n, n.proxy, "PostgreSQL") }

func (c *chaos) cutFiles() { n := c.one(); c.cut(n, n.files, "the S3 server") }

func (c *chaos) stallFiles() { n := c.one(); c.stall(n, n.files, "the S3 server") }

func (c *chaos) cut(n *node, p *proxy, to string) {
	cuts := 3 + c.rng.IntN(8)
	c.report.fault("%d connections of %s to %s are cut, somewhere in what they carry", cuts, n.name, to)
	p.cut(cuts)
	until(c.t, "wait for the cuts", p.spent)
}

func (c *chaos) stall(n *node, p *proxy, to string) {
	c.report.fault("nothing passes between %s and %s", n.name, to)
	p.hold(func() { c.pause(2 * time.Second) })
}

func (c *chaos) stopBucket() {
	c.report.fault("the S3 server is stopped")
	c.bucket.stop(c.t)
	c.pause(time.Second)
	c.bucket.start(c.t)
}

// fillDisk fills the disk of the last process, and stops it so that it has to save its
// index there.
func (c *chaos) fillDisk() {
	n := c.nodes[len(c.nodes)-1]
	c.report.fault("the disk of %s is full, and it is restarted", n.name)
	ballast := c.disk.File("ballast")
	if err := os.WriteFile(ballast, make([]byte, 2*diskSize), 0o600); err == nil {
		c.t.Error("the disk takes more than it has")
	}
	n.down(c.t, true)
	n.up(c.t)
	c.pause(500 * time.Millisecond)
	if err := os.Remove(ballast); err != nil {
		c.t.Error(err)
	}
}

// clockStep is the maximum offset of a clock in either direction: less than a quarter of
// the shortest lease.
const clockStep = 7 * time.Second

// stepClock sets the clock of a process wrong, and perhaps corrects it later.
func (c *chaos) stepClock() {
	n := c.one()
	wrong := time.Duration(c.rng.Int64N(int64(2*clockStep))) - clockStep
	c.report.fault("the clock of %s goes from %s to %s", n.name, n.clock.wrong.Round(time.Millisecond), wrong.Round(time.Millisecond))
	n.clock.set(c.t, wrong)
}
