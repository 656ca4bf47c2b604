package pg

import (
	"reflect"
	"strings"
	"testing"
)

const testLog = `{"session_id":"a","message":"execute stmtcache_1: SELECT p.id FROM pages p WHERE p.id = $1 LIMIT $2","detail":"parameters: $1 = 'it''s, $2 = ', $2 = '21'"}
{"session_id":"b","message":"connection received"}
{"session_id":"b","message":"statement: begin"}
{"session_id":"c","message":"execute <unnamed>: SELECT 1 FROM secrets;"}
{"session_id":"b","message":"execute s2: INSERT INTO pages (id, slug, position) VALUES ($1, $2, $3)","detail":"Parameters: $1 = 'page_1', $2 = 'a-b', $3 = NULL"}
{"session_id":"b","message":"execute s3: INSERT INTO changes (event_id, subject) VALUES ($1, $2)","detail":"parameters: $1 = 'evt_01k9y1c2d3e4f5g6h7j8k9m0n1', $2 = 'page_1'"}
{"session_id":"b","message":"statement: commit"}
{"session_id":"x","message":"statement: SELECT 'octavo-bench: next request'"}
{"session_id":"b","message":"statement: begin"}
`

func TestParseLogPutsValuesInPlace(t *testing.T) {
	have, err := parseLog([]byte(testLog))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]Statement{{
		{"a", "SELECT p.id FROM pages p WHERE p.id = 'it''s, $2 = ' LIMIT '21'"},
		{"b", "begin"},
		{"c", "SELECT 1 FROM secrets"},
		{"b", "INSERT INTO pages (id, slug, position) VALUES ('page_1', 'a-b', NULL)"},
		{"b", "INSERT INTO changes (event_id, subject) VALUES ('evt_01k9y1c2d3e4f5g6h7j8k9m0n1', 'page_1')"},
		{"b", "commit"},
	}, {
		{"b", "begin"},
	}}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("have %q\nwant %q", have, want)
	}
	divided, err := parseValues(`parameters: $1 = '{"parentId":null,"at":"10:00"}'`)
	if want := "'{\"parentId\":'\n'null,\"at\":\"10:00\"}'"; err != nil || divided[0] != want {
		t.Errorf("have %q (%v), want %q", divided, err, want)
	}
	if _, err := parseValues("parameters: $1 = oops"); err == nil {
		t.Error("a value without quotes: have no error")
	}
}

func TestScripts(t *testing.T) {
	requests, err := parseLog([]byte(testLog))
	if err != nil {
		t.Fatal(err)
	}
	statements := requests[0]
	scripts, err := Reading([][]Statement{statements[:1], statements[:3]}, true)
	if err != nil || len(scripts) != 2 || scripts[0].Weight != 10_000 || scripts[1].Weight != 5_000 || len(scripts[1].Statements) != 1 {
		t.Errorf("have %+v (%v), want one statement each, the first twice as often", scripts, err)
	}
	if _, err := Reading([][]Statement{statements[1:3]}, false); err == nil {
		t.Error("a request that read no page: have no error")
	}
	create, err := Creating(statements, "page_1", "a-b")
	if err != nil {
		t.Fatal(err)
	}
	have := strings.Join(create.Statements, "\n")
	want := "begin\nINSERT INTO pages (id, slug, position) VALUES (('page_' || @), ('bench-' || @), NULL)\n" +
		"INSERT INTO changes (event_id, subject) VALUES (('evt_0' || @), ('page_' || @))\ncommit"
	if want = strings.ReplaceAll(want, "@", unique); have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	if _, err := Creating(statements[:3], "page_1", "a-b"); err == nil {
		t.Error("no transaction: have no error")
	}
}

func TestParseFigures(t *testing.T) {
	have, err := parseFigures("number of failed transactions: 2 (0.1%)\nlatency average = 1.250 ms\nlatency stddev = 1 ms\ntps = 12800.5 (without initial connection time)\n")
	if want := (Figures{12800.5, 1250, 2}); err != nil || have != want {
		t.Errorf("have %+v (%v), want %+v", have, err, want)
	}
	if _, err := parseFigures("pgbench: error"); err == nil {
		t.Error("no figures: have no error")
	}
}
