package faulttest

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/octavo-docs/octavo"
)

// input is what is asked of a page.
type input struct {
	kind  string
	page  octavo.ID
	to    state // what is set; a patch leaves what is empty
	match int64 // the version it must have; 0 is any
}

// output is how that was answered.
type output struct {
	status int
	page   state // of a page that was answered

	// unknown says that there was no answer: it may have happened at any time
	// since, or not at all, which is the same as after everything else.
	unknown bool
}

// pageModel says how a page behaves when one thing happens after another. The
// zero state is that of a page which does not exist yet.
func pageModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{} },
		Step: func(s, in, out any) (bool, any) {
			want, after := step(s.(state), in.(input))
			have := out.(output)
			return have.unknown || have == want, after
		},
	}
}

// step returns the answer to an operation and the state that it leaves.
func step(s state, in input) (output, state) {
	live := s.version > 0 && !s.deleted
	after := s
	after.version++
	switch in.kind {
	case "create":
		after = in.to
		after.version = 1
		return output{status: http.StatusCreated, page: after}, after
	case "restore":
		if s.version == 0 || live {
			return output{status: http.StatusNotFound}, s
		}
		after.deleted = false
		return output{status: http.StatusOK, page: after}, after
	}
	switch {
	case !live:
		return output{status: http.StatusNotFound}, s
	case in.match > 0 && in.match != s.version:
		return output{status: http.StatusPreconditionFailed}, s
	}
	switch in.kind {
	case "read":
		return output{status: http.StatusOK, page: s}, s
	case "delete":
		after.deleted = true
		return output{status: http.StatusNoContent}, after
	case "put", "patch":
		after.title = or(in.to.title, s.title)
		after.content = or(in.to.content, s.content)
		after.status = or(in.to.status, s.status)
		if after.title == s.title && after.content == s.content && after.status == s.status {
			after = s // nothing to do
		}
		return output{status: http.StatusOK, page: after}, after
	}
	return output{}, s
}

func or[T ~string](a, b T) T {
	if a != "" {
		return a
	}
	return b
}

// tell writes a history in the order in which it began.
func tell(ops []porcupine.Operation) string {
	slices.SortFunc(ops, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintf(&b, "\n%12d %12d client %2d %+v: %+v", op.Call, op.Return, op.ClientId, op.Input, op.Output)
	}
	return b.String()
}

func TestPageModelBites(t *testing.T) {
	t.Parallel()
	one := state{title: "a", content: "b", status: octavo.Draft, version: 1}
	two := state{title: "c", content: "b", status: octavo.Draft, version: 2}
	gone := output{status: http.StatusNotFound}
	created := event{0, 1, input{kind: "create", to: state{title: "a", content: "b", status: octavo.Draft}}, output{status: http.StatusCreated, page: one}}
	patched := event{2, 5, input{kind: "patch", to: state{title: "c"}}, output{status: http.StatusOK, page: two}}
	read := func(from, to int64, s state) event {
		return event{from, to, input{kind: "read"}, output{status: http.StatusOK, page: s}}
	}
	for _, c := range []struct {
		name   string
		events []event
		want   porcupine.CheckResult
	}{
		{"in order", []event{created, patched, read(6, 7, two)}, porcupine.Ok},
		{"old while it is changed", []event{created, patched, read(3, 4, one)}, porcupine.Ok},
		{"new while it is changed", []event{created, patched, read(3, 4, two)}, porcupine.Ok},
		{"old after the change", []event{created, patched, read(6, 7, one)}, porcupine.Illegal},
		{"new, then old", []event{created, patched, read(3, 3, two), read(4, 4, one)}, porcupine.Illegal},
		{"the change is lost", []event{created, patched, {6, 7, input{kind: "patch", to: state{title: "c"}, match: 1}, output{status: http.StatusOK, page: two}}}, porcupine.Illegal},
		{"a condition that held is refused", []event{created, {6, 7, input{kind: "delete", match: 1}, output{status: http.StatusPreconditionFailed}}}, porcupine.Illegal},
		{"gone without a deletion", []event{created, {6, 7, input{kind: "read"}, gone}}, porcupine.Illegal},
		{"the answer is lost and it happened", []event{created, {2, math.MaxInt64, patched.in, output{unknown: true}}, read(6, 7, two)}, porcupine.Ok},
		{"the answer is lost and it did not happen", []event{created, {2, math.MaxInt64, patched.in, output{unknown: true}}, read(6, 7, one)}, porcupine.Ok},
		{"the answer is lost and it happened late", []event{created, {2, math.MaxInt64, patched.in, output{unknown: true}}, read(6, 7, one), read(8, 9, two)}, porcupine.Ok},
		{"the answer is lost and it was undone", []event{created, {2, math.MaxInt64, patched.in, output{unknown: true}}, read(6, 7, two), read(8, 9, one)}, porcupine.Illegal},
		{"a server that fails", []event{created, {6, 7, input{kind: "read"}, output{status: 500}}}, porcupine.Illegal},
	} {
		var ops []porcupine.Operation
		for i, e := range c.events {
			ops = append(ops, porcupine.Operation{ClientId: i, Call: e.call, Return: e.end, Input: e.in, Output: e.out})
		}
		if have := porcupine.CheckOperationsTimeout(pageModel(), ops, limit); have != c.want {
			t.Errorf("%s:%s\nhave %s, want %s", c.name, tell(ops), have, c.want)
		}
	}
}

// event is an operation of a made-up history.
type event struct {
	call, end int64
	in        input
	out       output
}
