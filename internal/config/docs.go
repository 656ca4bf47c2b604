package config

import (
	"fmt"
	"strings"
)

//go:generate go run ./configdocs ../../docs/configuration.md

const pageHead = `---
title: Configuration
description: Every option of the server, as flag, variable and key of the configuration file.
sidebar_position: 12
tags: [operating]
---

# Configuration

Each option is a flag, an environment variable and a key of the configuration file that ` + "`--config`" + ` names. The file is YAML or JSON; its keys are the flags without the dashes. Precedence: flags, then environment variables, then the configuration file, then the default. An empty variable counts as unset.

To keep a secret in a file of its own, set the variable that ends in ` + "`_FILE`" + ` to its path; an empty file is refused. ` + "`octavo serve --print-config`" + ` prints the resulting configuration, with secrets masked. A variable that begins with ` + "`OCTAVO_`" + ` but is not listed here has no effect; every command warns about it on standard error.

`

// Markdown returns the documentation page of all options, with a section for each group.
func Markdown() (string, error) {
	table, err := new(Options).Table()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	group := ""
	for _, o := range table {
		if o.Group != group {
			group = o.Group
			fmt.Fprintf(&b, "\n## %s\n\n| option | variable | default | meaning |\n|---|---|---|---|\n", group)
		}
		value := o.Default
		if value != "" {
			value = "`" + value + "`"
		}
		flag := "--" + o.Name
		if !o.flag.IsBool() {
			flag += " " + o.Placeholder
		}
		variables := "`" + o.Variable + "`"
		if o.File != "" {
			variables += " or `" + o.File + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", flag, variables, value, strings.ReplaceAll(o.Help, "|", `\|`))
	}
	return pageHead + strings.TrimLeft(b.String(), "\n"), nil
}
