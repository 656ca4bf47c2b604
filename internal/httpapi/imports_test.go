package httpapi_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// refusedAs reports whether the answer was a Problem of a type.
func refusedAs(err error, kind octavo.ProblemType) bool {
	p, ok := errors.AsType[*client.Problem](err)
	return ok && p.Kind() == kind
}

// TestImportsThroughTheClient sends a zip, follows it, reads its report and removes it.
func TestImportsThroughTheClient(t *testing.T) {
	t.Parallel()
	s, dir := startWithFiles(t, octavotest.Options{Export: true, MaxImport: 20_000})
	asked := func(g auth.Grant) *client.Client {
		c, err := client.New(s.URL, client.WithToken(s.Token(t, g)))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ann, bob := asked(auth.Grant{Subject: "ann", Scopes: octavo.ScopeWrite}), asked(auth.Grant{Subject: "bob", Scopes: octavo.ScopeWrite})
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	for i := range 30 {
		f, err := w.Create(fmt.Sprintf("p%02d.md", i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(f, "# Page %d\n", i)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	send := func(c *client.Client, content []byte, opts ...client.CallOption) (octavo.Import, error) {
		o := octavo.DefaultImportOptions()
		o.Status = octavo.Published
		return c.CreateImport(t.Context(), bytes.NewReader(content), "book.zip", o, opts...)
	}
	first, err := send(ann, file.Bytes(), client.IdempotencyKey("k"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := send(ann, file.Bytes(), client.IdempotencyKey("k")); err != nil || again.ID != first.ID {
		t.Errorf("the same again: have %s, %v, want %s", again.ID, err, first.ID)
	}
	v, err := ann.AwaitImport(t.Context(), first.ID, func(octavo.ImportProgress) {})
	if err != nil || v.Status != octavo.ImportReady || v.Report.Sums.Created != 30 || v.Report.Share != 1 || v.EndedAt == nil {
		t.Fatalf("have %+v, %v", v, err)
	}
	n := 0
	for line, err := range ann.ImportReport(t.Context(), v.ID) {
		if err != nil || line.Path != fmt.Sprintf("p%02d.md", n) || line.Action != "created" {
			t.Errorf("line %d: have %+v, %v", n, line, err)
		}
		n++
	}
	mine := 0
	for _, err := range ann.Imports(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		mine++
	}
	if n != 30 || mine != 1 {
		t.Errorf("have %d lines and %d imports", n, mine)
	}
	if _, err := bob.Import(t.Context(), v.ID); !refusedAs(err, octavo.NotFound) {
		t.Errorf("another one reads it: have %v", err)
	}
	for range bob.Imports(t.Context()) {
		t.Error("another one finds it in the list")
	}
	if err := ann.DeleteImport(t.Context(), v.ID); err != nil {
		t.Error(err)
	}
	if _, err := send(ann, []byte(strings.Repeat("x", 20_001))); !refusedAs(err, octavo.TooLarge) {
		t.Errorf("too large: have %v, want %s", err, octavo.TooLarge)
	}
	if n := files(t, dir); n != 0 {
		t.Errorf("have %d files, want none", n)
	}
}
