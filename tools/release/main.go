// Command release tells what is inside the program: the licences of the modules
// that are linked into it, and its bill of materials (SBOM) in the form of
// CycloneDX. It reads the module cache and the program, and asks no server.
//
//	go -C tools/release run . licences > docs/licences.md
//	go -C tools/release run . sbom "$PWD/bin/octavo" > octavo.cdx.json
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	modules, err := linked(root)
	if err != nil {
		return err
	}
	packages, err := bundled(root)
	if err != nil {
		return err
	}
	switch {
	case len(args) == 1 && args[0] == "licences":
		_, err := out.Write(page(modules, packages))
		return err
	case len(args) == 2 && args[0] == "licences" && args[1] == "check":
		return check(root, modules, packages, out)
	case len(args) == 2 && args[0] == "sbom":
		return sbom(args[1], modules, out)
	}
	return errors.New("say licences, licences check, or sbom PROGRAM")
}

// module is one that is linked into the program.
type module struct{ path, version, licence string }

// systems are those that the program is built for; which modules are linked
// differs between them.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"}

// linked lists the modules of all packages that the program is made of, on any
// of the systems, with their licences.
func linked(root string) (list []module, err error) {
	seen := map[string]bool{}
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "./cmd/octavo")
		c.Dir, c.Stderr, c.Env = root, os.Stderr, append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
		text, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("list what the program is made of: %w", err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			fields := strings.SplitN(line, " ", 3)
			if len(fields) != 3 || seen[fields[0]] {
				continue
			}
			seen[fields[0]] = true
			licence, err := licenceIn(fields[2])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", fields[0], err)
			}
			list = append(list, module{fields[0], fields[1], licence})
		}
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// check fails when the page does not say what is linked.
func check(root string, modules, packages []module, out io.Writer) error {
	have, err := os.ReadFile(filepath.Join(root, "docs/licences.md"))
	if err != nil {
		return err
	}
	if !bytes.Equal(have, page(modules, packages)) {
		return errors.New("docs/licences.md is not what is linked: make generate")
	}
	_, err = fmt.Fprintf(out, "release: %d modules and %d npm packages, all under licences that Apache-2.0 goes with\n", len(modules), len(packages))
	return err
}

// bundled lists the npm packages that Studio may be made of, with the licences that its
// lock file names. Those for development alone are not among them.
func bundled(root string) (list []module, err error) {
	text, err := os.ReadFile(filepath.Join(root, "studio/package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("read studio/package-lock.json: %w", err)
	}
	for path, p := range lock.Packages {
		if path == "" || p.Dev {
			continue
		}
		if !slices.Contains(allowed, p.License) {
			return nil, fmt.Errorf("%s: is under %q, with which the program cannot be linked", path, p.License)
		}
		list = append(list, module{strings.TrimPrefix(path, "node_modules/"), p.Version, p.License})
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// page is docs/licences.md.
func page(modules, packages []module) []byte {
	var b bytes.Buffer
	b.WriteString(`---
title: Licences
description: The modules that are linked into the program, and their licences.
sidebar_position: 16
tags: [security, dependencies]
---

# Licences

Octavo is under the Apache License 2.0. Made by ` + "`go -C tools/release run . licences`" + ` from what is linked into the program, on any system; do not edit. A licence that asks for the source of what it is linked with (GPL, AGPL, LGPL) is refused.

| module | version | licence |
|---|---|---|
`)
	for _, m := range modules {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.path, m.version, m.licence)
	}
	b.WriteString("\nStudio, the program in browsers, is made of these npm packages:\n\n| package | version | licence |\n|---|---|---|\n")
	for _, m := range packages {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.path, m.version, m.licence)
	}
	b.WriteString(`
The standard library and the runtime of Go are under BSD-3-Clause. Files within the program that are no Go have theirs beside them: Redoc (MIT) in ` + "`internal/portal/assets`" + ` the fonts (SIL Open Font License 1.1) in ` + "`internal/pdf/font`" + `, and lists of words (Unicode License and BSD-3-Clause) in ` + "`internal/pdf/lexicon`" + `.
`)
	return b.Bytes()
}
