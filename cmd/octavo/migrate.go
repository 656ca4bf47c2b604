package main

import (
	"fmt"

	"github.com/octavo-docs/octavo/internal/config"
)

// migrateCommand brings the schema up to date.
type migrateCommand struct {
	config.Storage
	JSON bool `name:"json" help:"Print the schema version as a JSON object."`
}

// Help says what the command does and does not do.
func (migrateCommand) Help() string {
	return "Prints the schema version that the database has afterwards. A store that does not exist is created. " +
		"Commands that create what is missing, such as serve, do this too; those that only look or mend, such as doctor, refuse an older schema. " +
		"There is no way back to an older schema: make a backup first. A newer schema is left as it is, and accepted as long as this program can work on it."
}

// Run migrates. Opening the store does it.
func (c *migrateCommand) Run(p *program) error {
	return p.withStorage(c.Storage, createMissing, func(s *storage) error {
		have, _, err := s.SchemaVersion(p.ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(p.stdout, struct {
				SchemaVersion int64 `json:"schemaVersion"`
			}{have})
		}
		return printLine(p.stdout, fmt.Sprint(have))
	})
}
