// Package suite measures everything in one run: Octavo beside its bound and
// its peers on the same machine, with the same pages, one after the other and
// in several rounds. It owns the order of a run and the record of what was
// found; which figure is good enough is for package report to say.
package suite

import (
	"time"

	"github.com/octavo-docs/octavo/bench/internal/disk"
	"github.com/octavo-docs/octavo/bench/internal/load"
	"github.com/octavo-docs/octavo/bench/internal/machine"
)

// The targets of measurements.
const (
	Octavo         = "octavo"
	OctavoPostgres = "octavo on PostgreSQL"
	Bare           = "bare net/http"
	PocketBase     = "PocketBase"
	Pgbench        = "pgbench"
)

// The figures, by the names under which they are recorded.
const (
	Read        = "read one page, Zipf"
	ReadUniform = "read one page, uniform"
	ListFirst   = "list of 20, first"
	ListDeep    = "list of 20, any depth"
	ListZipf    = "list of 20, any depth, Zipf"
	Create      = "create"
	Mixed       = "mixed 90/8/2"
	ReadBeside  = "read during writes"
	WriteBeside = "create during reads"
	ReadPaced   = "read one page, open loop"
	ListPaced   = "list of 20, open loop"
	Filter      = "filter: " // and its name
)

// Measurement is one run of one figure against one target.
type Measurement struct {
	Figure      string `json:"figure"`
	Target      string `json:"target"`
	Pages       int    `json:"pages"` // stored
	Connections int    `json:"connections"`
	Round       int    `json:"round"`
	load.Result
	CPU          float64 `json:"serverCPUSeconds"`
	GeneratorCPU float64 `json:"generatorCPUSeconds"`
	Resident     int64   `json:"serverResidentBytes"` // at the end
	Peak         int64   `json:"serverPeakBytes"`     // since its start
}

// Start is how a server started on stored pages.
type Start struct {
	Target   string  `json:"target"`
	Pages    int     `json:"pages"`
	Seconds  float64 `json:"seconds"`           // until it was ready
	Resident int64   `json:"idleResidentBytes"` // when it had been idle for a moment
}

// Fill is how fast an empty server was filled by bulk requests.
type Fill struct {
	Target  string  `json:"target"`
	Pages   int     `json:"pages"`
	Seconds float64 `json:"seconds"`
}

// Record is what a run found.
type Record struct {
	Started      time.Time       `json:"started"`
	Took         float64         `json:"tookSeconds"`
	Machine      machine.Machine `json:"machine"`
	Settings     Settings        `json:"settings"`
	BinaryBytes  int64           `json:"binaryBytes"`
	Disk         []disk.Syncs    `json:"disk"`
	Fills        []Fill          `json:"fills"`
	Starts       []Start         `json:"starts"`
	Measurements []Measurement   `json:"measurements"`
}

// Settings choose what is measured.
type Settings struct {
	Pages       int           `json:"pages"`
	Connections []int         `json:"connections"`
	Warmup      time.Duration `json:"warmupNanoseconds"`
	Duration    time.Duration `json:"durationNanoseconds"`
	Rounds      int           `json:"rounds"`
	Growth      []int         `json:"growth"`
	PocketBase  bool          `json:"pocketbase"`
	Postgres    bool          `json:"postgres"`
	ServeFlags  []string      `json:"serveFlags"`     // further flags of octavo serve
	Only        []string      `json:"only,omitempty"` // figures whose names hold one of these; none is all

	Source    string `json:"-"` // folder of Octavo's source
	Folder    string `json:"-"` // for programs and data; kept between runs
	OctavoBin string `json:"-"` // built from Source when empty
}

// add records a measurement.
func (r *Record) add(m Measurement) { r.Measurements = append(r.Measurements, m) }
