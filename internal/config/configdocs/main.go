// Command configdocs writes the page of the documentation that lists every
// option, from the option table. It belongs to development: make generate
// runs it, and a test in internal/config holds the page to the table.
package main

import (
	"fmt"
	"os"

	"github.com/octavo-docs/octavo/internal/config"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: configdocs FILE")
		os.Exit(2)
	}
	page, err := config.Markdown()
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(page), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "configdocs:", err)
		os.Exit(1)
	}
}
