package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// marks are phrases that a text of a licence has, and no text of another that
// stands before it in the list.
var marks = []struct {
	licence string
	phrases []string
}{
	{"AGPL", []string{"gnu affero general public license"}},
	{"LGPL", []string{"gnu lesser general public license"}},
	{"GPL", []string{"gnu general public license"}},
	{"Apache-2.0", []string{"apache license", "version 2.0"}},
	{"MPL-2.0", []string{"mozilla public license", "2.0"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "neither the name"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "names of its contributors"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "may not be used to endorse"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any"}},
	{"MIT", []string{"permission is hereby granted, free of charge", "without restriction"}},
	{"Unlicense", []string{"this is free and unencumbered software"}},
}

// allowed are licences that a program under Apache-2.0 may be linked with.
var allowed = []string{"Apache-2.0", "BSD-3-Clause", "BSD-2-Clause", "ISC", "MIT", "Unlicense", "MPL-2.0"}

// licenceIn tells the licences of the module in a folder, from all files that
// hold one. A module that has none, or one that may not be linked, is an error.
// Where a module may be had under one of several, one that is allowed will do.
func licenceIn(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("look for its licence: %w", err)
	}
	var found []string
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !(strings.HasPrefix(upper, "LICENSE") || strings.HasPrefix(upper, "LICENCE") || strings.HasPrefix(upper, "COPYING") || strings.HasPrefix(upper, "UNLICENSE")) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return "", fmt.Errorf("read its licence: %w", err)
		}
		if name := classify(string(text)); name != "" && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return "", errors.New("no file says under which licence it is")
	}
	for _, name := range found {
		if !slices.Contains(allowed, name) {
			return "", fmt.Errorf("is under %s, with which the program cannot be linked", name)
		}
	}
	slices.Sort(found)
	return strings.Join(found, ", "), nil
}

// classify names the licence that a text is, "" for one that is not known.
func classify(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	head := text[:min(len(text), 400)]
	for _, m := range marks {
		where := text
		if strings.HasSuffix(m.licence, "GPL") {
			where = head // others mention it further down
		}
		if !slices.ContainsFunc(m.phrases, func(p string) bool { return !strings.Contains(where, p) }) {
			return m.licence
		}
	}
	return ""
}
