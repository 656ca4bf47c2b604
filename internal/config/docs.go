package config

import (
	"fmt"
	"strings"
)

// Markdown returns the table of options for the documentation, one section
// for each group.
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
	return strings.TrimLeft(b.String(), "\n"), nil
}
