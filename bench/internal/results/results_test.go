package results_test

import (
	"path/filepath"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/results"
	"github.com/octavo-docs/octavo/bench/internal/suite"
)

// part is a part of which one figure was found.
func part(name string, value float64) figure.Part {
	return figure.Part{Name: name, Figures: figure.List{{Of: "x", Name: "y", Unit: "ms", Values: []float64{value}}}}
}

func TestReplacePart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	first, err := results.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	first.Pages = &suite.Record{BinaryBytes: 1}
	first.Put(part("search", 1))
	first.Put(part("auth", 2))
	if err := first.Write(file); err != nil {
		t.Fatal(err)
	}
	again, err := results.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	again.Put(part("search", 3))
	if err := again.Write(file); err != nil {
		t.Fatal(err)
	}
	have, err := results.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if have.Pages == nil || have.Pages.BinaryBytes != 1 {
		t.Errorf("have %+v of pages, want them as they were", have.Pages)
	}
	if len(have.Parts) != 2 || have.Parts[0].Name != "auth" || have.Parts[1].Name != "search" {
		t.Fatalf("have %+v, want auth before search", have.Parts)
	}
	if a, s := have.Parts[0].Figures[0].Median(), have.Parts[1].Figures[0].Median(); a != 2 || s != 3 {
		t.Errorf("have %g of auth and %g of search, want 2 and 3", a, s)
	}
}
