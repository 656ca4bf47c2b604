package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// page is about as long as the page of a real site, 7.5 KB.
func page() string {
	var b strings.Builder
	b.WriteString("# Getting started\n\nRead the [overview](../overview.md#scope) first, then *come back*.\n\n")
	for b.Len() < 7500 {
		b.WriteString(`## Install the _agent_

The agent runs beside your application and **sends** what it sees to a
[collector](/docs/collector/ "where it goes"). See https://example.com/releases
for the list of versions, or ask [in the forum][forum]. Use ` + "`--help`" + ` for options.

| option | default | meaning |
|--------|---------|---------|
| ` + "`addr`" + ` | [loopback](addresses.md) | where it listens |
| ` + "`token`" + ` | none | how it is let in |

- first, download the archive & check its sum
- then unpack it:

  ` + "```sh\n  tar xzf agent.tar.gz # [not](a-link)\n  ./agent --addr 127.0.0.1\n  ```" + `

> A note about <a href="limits/">limits</a> that spans
> more than one line of text.

`)
	}
	b.WriteString("[forum]: https://forum.example.com/c/agent\n")
	return b.String()
}

func BenchmarkLinks(b *testing.B) {
	content := page()
	for _, format := range []Format{{}, {MDX: true}} {
		b.Run(fmt.Sprint(format), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if n := len(Links(content, format)); n != 6 {
					b.Fatalf("have %d links, want 6", n)
				}
			}
		})
	}
}
