package main

import (
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/doctor"
	"github.com/octavo-docs/octavo/internal/storage"
)

type doctorCommand struct {
	config.Storage
	Quick bool `help:"Compare only the lengths of files, without reading them."`
	JSON  bool `name:"json" help:"Print a JSON object for each finding."`
}

// finding is the output of --json for a finding.
type finding struct {
	Subject string `json:"subject"`
	Rule    string `json:"rule"`
	Mend    string `json:"mend"`
}

func (c *doctorCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		findings, stopped := doctor.Check(p.ctx, s, doctor.Options{Storage: c.Storage, Quick: c.Quick})
		var mends []string
		for _, f := range findings {
			if err := p.answer(c.JSON, finding{f.Subject, f.Rule, f.Mend}, f.Subject+": broken rule: "+f.Rule); err != nil {
				return err
			}
			if mend := fmt.Sprintf("%s: to repair it, %s", f.Rule, f.Mend); !slices.Contains(mends, mend) {
				mends = append(mends, mend)
			}
		}
		for _, mend := range mends {
			fmt.Fprintln(p.stderr, "octavo: "+mend)
		}
		if stopped != nil {
			return stopped
		}
		if len(findings) > 0 {
			return fmt.Errorf("findings: %d; keep a copy of the data before you change anything", len(findings))
		}
		fmt.Fprintln(p.stderr, "octavo: nothing is wrong")
		return nil
	})
}
