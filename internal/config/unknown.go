package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Unknown returns the variables in an environment that have our prefix but are not
// options, sorted. It omits those of `serve --demo`, of curl examples in the
// documentation, of our tests, and those that Kubernetes sets for a service called octavo.
func Unknown(commands *kong.Application, environ []string) ([]string, error) {
	known := map[string]bool{"OCTAVO_URL": true, "OCTAVO_KEY": true, "OCTAVO_ADMIN": true, "OCTAVO_PROPOSER": true}
	err := kong.Visit(commands, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			names := flag.Envs
			if shared(flag) {
				names = variables(flag) // even if empty
			}
			for _, name := range names {
				known[name] = true
				if flag.Tag.Has("secret") {
					known[name+fileSuffix] = true
				}
			}
		}
		return next(nil)
	})
	if err != nil {
		return nil, fmt.Errorf("read the options: %w", err)
	}
	var unknown []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, variablePrefix) && !known[name] && value != "" && !strings.HasPrefix(name, variablePrefix+"TEST_") && !ofKubernetes(name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown, nil
}

// ofKubernetes reports whether Kubernetes would set a variable of that name for a service,
// such as OCTAVO_PORT_80_TCP_ADDR.
func ofKubernetes(name string) bool {
	return strings.HasSuffix(name, "_PORT") || strings.Contains(name, "_PORT_") || strings.HasSuffix(name, "_SERVICE_HOST")
}
