// Command studio bundles the program that runs in browsers, studio/ of this repository.
//
//	go -C tools/studio run .              writes internal/studio/dist
//	go -C tools/studio run . check        compares it with what would be written
//	go -C tools/studio run . tests DIR    bundles studio/test into DIR, for node --test
//	go -C tools/studio run . bench FILE   bundles a file of studio/walks to standard output
//
// It needs the packages of studio/package-lock.json.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	source = "../../studio"
	target = "../../internal/studio/dist"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "studio:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 0:
		made, err := bundle()
		if err != nil {
			return err
		}
		return write(made)
	case len(args) == 1 && args[0] == "check":
		made, err := bundle()
		if err != nil {
			return err
		}
		return errors.Join(sizes(made), check(made))
	case len(args) == 2 && args[0] == "tests":
		return tests(args[1])
	case len(args) == 2 && args[0] == "bench":
		return bench(args[1])
	}
	return errors.New("usage: studio [check | tests DIR | bench FILE]")
}

// bundle returns the files that browsers load, by name.
func bundle() (map[string][]byte, error) {
	outdir, err := filepath.Abs(target)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: abs(source),
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "src/main.tsx", OutputPath: "app"},
			{InputPath: "src/style/main.css", OutputPath: "app"},
		},
		Outdir: outdir, ChunkNames: "[name]-[hash]",
		Bundle: true, Splitting: true, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", LogLevel: api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New("the bundle cannot be built")
	}
	made := map[string][]byte{}
	for _, f := range result.OutputFiles {
		made[filepath.Base(f.Path)] = f.Contents
	}
	return made, nil
}

// write leaves what was made in place of what is there, each file compressed.
func write(made map[string][]byte) error {
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		packed, err := pack(made[name])
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(target, name+".gz"), packed, 0o644); err != nil {
			return err
		}
		fmt.Printf("%7d %6d %s\n", len(made[name]), len(packed), name)
	}
	return nil
}

func pack(text []byte) ([]byte, error) {
	var b bytes.Buffer
	zip, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := zip.Write(text); err != nil {
		return nil, err
	}
	err = zip.Close()
	return b.Bytes(), err
}

// check compares what is committed, uncompressed, since other versions of Go may compress
// differently.
func check(made map[string][]byte) error {
	present, err := filepath.Glob(filepath.Join(target, "*.gz"))
	if err != nil {
		return err
	}
	for _, path := range present {
		name := strings.TrimSuffix(filepath.Base(path), ".gz")
		have, err := unpack(path)
		if err != nil {
			return err
		}
		if want, known := made[name]; !known || !bytes.Equal(have, want) {
			return fmt.Errorf("internal/studio/dist/%s.gz is not what studio/ makes: run make generate", name)
		}
		delete(made, name)
	}
	for name := range made {
		return fmt.Errorf("internal/studio/dist/%s.gz is missing: run make generate", name)
	}
	return nil
}

func unpack(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zip)
}

// tests bundles each test by itself, since Node runs no TypeScript.
func tests(dir string) error {
	files, err := filepath.Glob(filepath.Join(source, "test", "*.test.ts*"))
	if err != nil || len(files) == 0 {
		return errors.Join(err, errors.New("studio/test has no tests"))
	}
	for i := range files {
		files[i] = abs(files[i])
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: abs(source), EntryPoints: files, Outdir: abs(dir), OutExtension: map[string]string{".js": ".mjs"},
		Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, Target: api.ES2022, Sourcemap: api.SourceMapInline,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", LogLevel: api.LogLevelWarning, Write: true,
		Banner: map[string]string{"js": "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"},
	})
	if len(result.Errors) > 0 {
		return errors.New("the tests cannot be bundled")
	}
	return nil
}

// bench bundles what a walk loads in place of the program.
func bench(file string) error {
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: abs(source), EntryPoints: []string{"walks/" + file}, Outfile: abs("bench.js"),
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", LogLevel: api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return errors.New("the bench cannot be bundled")
	}
	_, err := os.Stdout.Write(result.OutputFiles[0].Contents)
	return err
}

func abs(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return whole
}
