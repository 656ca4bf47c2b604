// Command goreleaser reads a configuration of goreleaser with goreleaser's own
// types, as the version that tools/goreleaser/go.mod pins: a member that it
// does not know is an error, and so is a file for the archives that is not
// there. It makes nothing, and does not know deprecations: `goreleaser check`
// does, which takes minutes to build.
//
//	go -C tools/goreleaser run . ../../.goreleaser.yaml
package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: goreleaser FILE")
		os.Exit(2)
	}
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "goreleaser: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// check returns what is wrong with a configuration, whose paths begin where it
// lies.
func check(file string) error {
	project, err := config.Load(file)
	if err != nil {
		return err
	}
	if len(project.Builds) == 0 || len(project.Archives) == 0 {
		return errors.New("nothing is built, or nothing is packed")
	}
	var problems []error
	folder := filepath.Dir(file)
	for _, b := range project.Builds {
		if _, err := os.Stat(filepath.Join(folder, b.Main)); err != nil {
			problems = append(problems, fmt.Errorf("what is built: %w", err))
		}
	}
	for _, a := range project.Archives {
		for _, f := range a.Files {
			// As far as Glob goes: ** is a folder in it, which deploy has.
			found, err := filepath.Glob(filepath.Join(folder, strings.ReplaceAll(f.Source, "**", "*")))
			if err == nil && len(found) == 0 {
				err = errors.New("no such file")
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("%s, for the archives: %w", f.Source, err))
			}
		}
	}
	for _, f := range project.Release.ExtraFiles {
		if f.NameTemplate != "" && strings.ContainsAny(f.Glob, "*?[{") {
			problems = append(problems, fmt.Errorf("%s, for the release: goreleaser gives no one name to several files", f.Glob))
		}
	}
	// Files for the release are told apart by their names alone.
	for _, b := range project.Builds {
		for _, h := range b.Hooks.Post {
			_, name, writes := strings.Cut(h.Cmd, "> ")
			if writes && (!strings.Contains(path.Base(name), "{{ .Os }}") || !strings.Contains(path.Base(name), "{{ .Arch }}")) {
				problems = append(problems, fmt.Errorf("%s writes a file of the same name for each system", h.Cmd))
			}
		}
	}
	return errors.Join(problems...)
}
