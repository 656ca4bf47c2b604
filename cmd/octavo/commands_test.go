package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

//go:generate go test -count=1 -run TestCommandsPage -update

var update = flag.Bool("update", false, "write docs/commands.md anew")

const (
	commandsPage = "../../docs/commands.md"
	commandsHead = `---
title: Commands
description: Every command of octavo, with its arguments and flags.
sidebar_position: 13
tags: [operating]
---

# Commands

Call the program with a command, its arguments and its flags. ` + "`octavo COMMAND --help`" + ` prints the same texts as this page. Only results go to standard output, one per line; everything else goes to standard error. The exit code is 0 on success, 1 on failure, and 2 if the command line or the configuration is wrong and nothing was done. Write a comma in a list value as ` + "`\\,`" + `.
`
)

// TestCommandsPage holds the page of the documentation that lists the commands
// to the commands.
func TestCommandsPage(t *testing.T) {
	parser, err := kong.New(&commands{}, append(grammar(), kong.Name("octavo"), kong.PostBuild(describe))...)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString(commandsHead)
	all := parser.Model.Leaves(true)
	if n := strings.Count(helpText, "\n\n") + 1; n != len(all) {
		t.Errorf("help.txt has %d paragraphs for %d commands", n, len(all))
	}
	for _, command := range all {
		if command.Detail == "" {
			t.Errorf("help.txt has nothing about %q", command.Path())
		}
		writeCommand(&page, command)
	}
	if *update {
		if err := os.WriteFile(commandsPage, []byte(page.String()), 0o644); err != nil { //nolint:gosec // documentation, for everyone
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(commandsPage)
	if err != nil || string(have) != page.String() {
		t.Errorf("docs/commands.md differs from the commands, %v: run make generate", err)
	}
}

func writeCommand(b *strings.Builder, command *kong.Node) {
	fmt.Fprintf(b, "\n## %s\n\n%s", command.FullPath(), command.Help)
	if command.Detail != "" {
		fmt.Fprintf(b, " %s", command.Detail)
	}
	fmt.Fprintf(b, "\n\n```text\n%s\n```\n", "octavo "+strings.TrimPrefix(command.Summary(), "octavo "))
	var rows, groups []string
	for _, value := range command.Positional {
		rows = append(rows, fmt.Sprintf("| `%s` | | %s |", value.Summary(), cell(value.Help)))
	}
	for _, flags := range command.AllFlags(true) {
		for _, f := range flags {
			switch {
			case f.Name == "help":
			case f.Group != nil:
				if link := fmt.Sprintf("[%s](configuration.md#%s)", f.Group.Title, strings.ReplaceAll(strings.ToLower(f.Group.Title), " ", "-")); len(groups) == 0 || groups[len(groups)-1] != link {
					groups = append(groups, link)
				}
			default:
				rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", strings.TrimSpace(nameOf(f)), variablesOf(f), cell(helpOf(f.Value))))
			}
		}
	}
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n| | variable | meaning |\n|---|---|---|\n%s\n", strings.Join(rows, "\n"))
	}
	if len(groups) > 0 {
		fmt.Fprintf(b, "\nIt also takes the options of %s.\n", strings.Join(groups, ", "))
	}
}

func nameOf(f *kong.Flag) string {
	name := "--" + f.Name
	if !f.IsBool() {
		name += " " + f.FormatPlaceHolder()
	}
	return name
}

func variablesOf(f *kong.Flag) string {
	names := make([]string, len(f.Envs))
	for i, name := range f.Envs {
		names[i] = "`" + name + "`"
	}
	return strings.Join(names, " or ")
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
