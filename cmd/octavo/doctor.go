package main

import (
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/doctor"
	"github.com/octavo-docs/octavo/internal/storage"
)

// doctorCommand checks the data.
type doctorCommand struct {
	config.Storage
	Quick bool `help:"Look at the lengths of files alone, and do not read them."`
	JSON  bool `name:"json" help:"Print a JSON object for each finding."`
}

// Help says what the command does and does not do.
func (doctorCommand) Help() string {
	return "Checks the database file, that secrets can be opened, that the files of assets and the results of exports are there as they were written and no others, nor another installation's, and in the place that the database names, that tables, columns, indexes and keys are there and as they should be, that the search index, and the newest one that servers share, agree with the pages, that no page is overdue to change, that no event has waited for more than two hours to be put in line for webhooks, no delivery has been due for more than an hour, or waits for longer than any may, and no export has been due for more than 15 minutes, and every rule that binds one stored thing to another. " +
		"Prints a line for each finding: what it is about, and the rule that does not hold there. Behind them stands on standard error how to mend each kind. " +
		"Exits with 1 when there is any. It reads everything, files too unless --quick is given, which takes a while on a large store, works beside a running server, and mends nothing."
}

// finding is what --json tells of a finding.
type finding struct {
	Subject string `json:"subject"`
	Rule    string `json:"rule"`
	Mend    string `json:"mend"`
}

// Run checks the data.
func (c *doctorCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		findings, stopped := doctor.Check(p.ctx, s, doctor.Options{Storage: c.Storage, Quick: c.Quick})
		var mends []string
		for _, f := range findings {
			if err := p.answer(c.JSON, finding{f.Subject, f.Rule, f.Mend}, f.Subject+": broken rule: "+f.Rule); err != nil {
				return err
			}
			if mend := fmt.Sprintf("%s: to mend it, %s", f.Rule, f.Mend); !slices.Contains(mends, mend) {
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
			return fmt.Errorf("findings: %d; keep a copy of the data before anything is changed", len(findings))
		}
		fmt.Fprintln(p.stderr, "octavo: nothing is wrong")
		return nil
	})
}
