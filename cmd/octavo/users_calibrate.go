package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo/internal/authserver"
)

// usersCalibrateCommand measures what a password may cost.
type usersCalibrateCommand struct {
	Time time.Duration `default:"100ms" placeholder:"TIME" help:"Target time for checking one password."`
}

// Run measures.
func (c *usersCalibrateCommand) Run(p *program) error {
	if c.Time <= 0 {
		return usageError{errors.New("--time must be more than 0s")}
	}
	cost, takes := authserver.Calibrate(p.now, c.Time)
	fmt.Fprintf(p.stderr, "octavo: %d passes over %d MiB take %s on this machine\n", cost.Passes, cost.Memory>>10, takes.Round(time.Millisecond))
	return printLine(p.stdout, strconv.FormatUint(uint64(cost.Passes), 10))
}
