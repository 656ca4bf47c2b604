package pages

import (
	"errors"
	"fmt"
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestLocate(t *testing.T) {
	root := octavo.ID("")
	decoded := octavo.Invalid("/operations/1/page/title", "x")
	for _, c := range []struct {
		name string
		err  error
		op   octavo.BulkOperation
		want string
	}{
		{"a slug is in the page", octavo.Invalid("/slug", "x"), octavo.BulkOperation{}, "[{/operations/1/page/slug x}]"},
		{"a parent of a patch is in the page", octavo.Invalid("/parentId", "x"), octavo.BulkOperation{}, "[{/operations/1/page/parentId x}]"},
		{"a parent beside the page", octavo.Invalid("/parentId", "x"), octavo.BulkOperation{ParentID: &root}, "[{/operations/1/parentId x}]"},
		{"one without fields", octavo.Errorf(octavo.Conflict, "has children"), octavo.BulkOperation{}, "[{/operations/1 has children}]"},
		{"one of decoding", decoded, octavo.BulkOperation{Err: decoded}, "[{/operations/1/page/title x}]"},
	} {
		var e *octavo.Error
		if !errors.As(locate(c.err, c.op, 1), &e) || fmt.Sprint(e.Fields) != c.want {
			t.Errorf("%s: have %v, want %s", c.name, e.Fields, c.want)
		}
	}
	if err := locate(errors.New("disk"), octavo.BulkOperation{}, 1); err.Error() != "bulk operation 1: disk" {
		t.Errorf("have %v", err)
	}
}
