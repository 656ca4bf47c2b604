package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// sbom writes the bill of materials of a program: the modules that its build
// says it is made of, each with its version, licence and sum. It holds no time
// and no random number, so that one program has one bill.
func sbom(program string, modules []module, out io.Writer) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read what %s is made of: %w", program, err)
	}
	licences := map[string]string{}
	for _, m := range modules {
		licences[m.path] = m.licence
	}
	own := purl(info.Main.Path, info.Main.Version)
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: own, Type: cdx.ComponentTypeApplication, Name: "octavo", Version: info.Main.Version, PackageURL: own, Licenses: licensed("Apache-2.0"),
	}}
	toolchain := strings.TrimPrefix(info.GoVersion, "go")
	list := []cdx.Component{{
		BOMRef: purl("std", toolchain), Type: cdx.ComponentTypeLibrary, Name: "std", Version: toolchain, PackageURL: purl("std", toolchain), Licenses: licensed("BSD-3-Clause"),
	}}
	refs := []string{list[0].BOMRef}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		licence, ok := licences[d.Path]
		if !ok {
			return fmt.Errorf("%s is linked into %s and is not among the modules of this source", d.Path, program)
		}
		component := cdx.Component{
			BOMRef: purl(d.Path, d.Version), Type: cdx.ComponentTypeLibrary, Name: d.Path, Version: d.Version, PackageURL: purl(d.Path, d.Version), Licenses: licensed(licence),
		}
		if sum, ok := strings.CutPrefix(d.Sum, "h1:"); ok {
			digest, err := base64.StdEncoding.DecodeString(sum)
			if err != nil {
				return fmt.Errorf("read the sum of %s: %w", d.Path, err)
			}
			component.Properties = &[]cdx.Property{{Name: "go:h1", Value: hex.EncodeToString(digest)}} // of the files' names and sums, not of an archive
		}
		list, refs = append(list, component), append(refs, component.BOMRef)
	}
	bom.Components = &list
	bom.Dependencies = &[]cdx.Dependency{{Ref: own, Dependencies: &refs}}
	if err := cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return fmt.Errorf("write the bill of materials: %w", err)
	}
	return nil
}

func licensed(names string) *cdx.Licenses {
	var list cdx.Licenses
	for name := range strings.SplitSeq(names, ", ") {
		list = append(list, cdx.LicenseChoice{License: &cdx.License{ID: name}})
	}
	return &list
}

// purl is the address of a module (package URL specification, type golang).
func purl(path, version string) string {
	return "pkg:golang/" + path + "@" + url.PathEscape(version)
}
