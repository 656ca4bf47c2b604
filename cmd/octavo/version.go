package main

import (
	"runtime"
	"runtime/debug"
)

type versionCommand struct {
	JSON bool `name:"json" help:"Print version and platform as a JSON object."`
}

func (c *versionCommand) Run(p *program) error {
	return p.answer(c.JSON, struct {
		Version  string `json:"version"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}{productVersion(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}, productVersion())
}

// productVersion is what the build says of its source: the version of a
// release, or of the commit where git was at hand.
func productVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
