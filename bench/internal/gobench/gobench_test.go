package gobench_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/gobench"
)

func TestRead(t *testing.T) {
	const output = `goos: linux
goarch: amd64
pkg: github.com/octavo-docs/octavo/internal/httpapi
cpu: AMD EPYC
BenchmarkUpload/1x1048576KiB-2         	       1	1834042291 ns/op	 585.45 MB/s	         0.91 ofBare
    file_bench_test.go:12: some words of a test
BenchmarkUpload/1x1048576KiB-2         	       1	1734042291 ns/op	 618.00 MB/s	         0.95 ofBare
BenchmarkStreams/100                   	     100	  10131512 ns/op	      9870 events/s	         3.5 ms-latest
--- BENCH: BenchmarkStreams/100
BenchmarkBroken --- FAIL: BenchmarkBroken
PASS
ok  	github.com/octavo-docs/octavo/internal/httpapi	9.5s
`
	figures, err := gobench.Read(strings.NewReader(output), "internal/httpapi")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, f := range figures {
		have = append(have, fmt.Sprintf("%s %s %v %s", f.Of, f.Name, f.Values, f.Unit))
	}
	want := []string{
		"internal/httpapi Upload/1x1048576KiB [1.834042291e+09 1.734042291e+09] ns/op",
		"internal/httpapi Upload/1x1048576KiB [585.45 618] MB/s",
		"internal/httpapi Upload/1x1048576KiB [0.91 0.95] ofBare",
		"internal/httpapi Streams/100 [1.0131512e+07] ns/op",
		"internal/httpapi Streams/100 [9870] events/s",
		"internal/httpapi Streams/100 [3.5] ms-latest",
	}
	if strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}
