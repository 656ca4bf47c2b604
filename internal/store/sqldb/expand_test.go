package sqldb

import (
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// lastFree is the last migration from before the rule of expand and contract:
// nothing had been released then.
const lastFree = 11

// A statement that takes away from processes of the version before what they
// use. One that adds a column which has to be given does so too: they do not
// give it.
var contracting = []struct {
	what    string
	pattern *regexp.Regexp
	but     *regexp.Regexp // where the statement has this it is none
}{
	{"drops something", regexp.MustCompile(`\bDROP\b`), regexp.MustCompile(`\bDROP\s+(DEFAULT|NOT\s+NULL)\b`)},
	{"renames something", regexp.MustCompile(`\bRENAME\b`), nil},
	{"adds a column that has to be given", regexp.MustCompile(`\bADD\s+(COLUMN\s+)?\w+\b.*\bNOT\s+NULL\b`), regexp.MustCompile(`\bDEFAULT\b`)},
	{"demands a value", regexp.MustCompile(`\bSET\s+NOT\s+NULL\b`), nil},
	{"changes a type", regexp.MustCompile(`\bALTER\b.*\bTYPE\b`), nil},
	{"demands what rows did not have to be", regexp.MustCompile(`\bADD\s+(CONSTRAINT|CHECK|UNIQUE)\b`), nil},
	{"demands that values differ, in a table that there was", regexp.MustCompile(`\bCREATE\s+UNIQUE\s+INDEX\b`), nil},
}

// unused is the comment by which a migration says since which version nothing
// uses any more what it takes away.
var unused = regexp.MustCompile(`-- unused since v\d+\.\d+\.\d+: \S`)

// contractions tells what a migration takes away from the version before
// without saying that that does not use it.
func contractions(text string) (found []string) {
	up, _, _ := strings.Cut(text, "-- +goose Down")
	made := map[string]bool{} // tables that this migration makes
	for statement := range strings.SplitSeq(up, ";") {
		said := unused.MatchString(statement)
		plain := strings.ToUpper(strings.Join(strings.Fields(regexp.MustCompile(`--[^\n]*`).ReplaceAllString(statement, " ")), " "))
		if m := regexp.MustCompile(`^CREATE TABLE (?:IF NOT EXISTS )?(\w+)`).FindStringSubmatch(plain); m != nil {
			made[m[1]] = true
			continue
		}
		if m := regexp.MustCompile(`\bON (\w+)`).FindStringSubmatch(plain); m != nil && made[m[1]] {
			continue // nobody has a row in it
		}
		for _, c := range contracting {
			if c.pattern.MatchString(plain) && (c.but == nil || !c.but.MatchString(plain)) && !said {
				found = append(found, fmt.Sprintf("%s: %s", c.what, plain))
			}
		}
	}
	return found
}

// floored reports whether a migration that takes away what is said to be unused
// shuts out programs that may use it.
func floored(text string, number int) bool {
	if !unused.MatchString(text) {
		return true
	}
	m := regexp.MustCompile(`UPDATE schema_floor SET version = (\d+);`).FindStringSubmatch(text)
	if m == nil {
		return false
	}
	floor, err := strconv.Atoi(m[1])
	return err == nil && floor > lastFree && floor <= number
}

// TestMigrationsExpand: processes of the version before go on while the schema
// is already that of this version.
func TestMigrationsExpand(t *testing.T) {
	t.Parallel()
	looked := 0
	err := fs.WalkDir(migrations, "migrations", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		looked++
		number, err := strconv.Atoi(strings.SplitN(entry.Name(), "_", 2)[0])
		if err != nil || number <= lastFree {
			return err
		}
		text, err := fs.ReadFile(migrations, path)
		if !floored(string(text), number) {
			t.Errorf("%s takes something away: it has to raise schema_floor to the version from which on nothing uses that", path)
		}
		for _, c := range contractions(string(text)) {
			t.Errorf("%s %s; take it away one version later, and say -- unused since vX.Y.Z: why (docs/operating/upgrade.md)", path, c)
		}
		return err
	})
	if err != nil || looked < 2*lastFree {
		t.Errorf("looked at %d migrations, %v", looked, err)
	}
}

// TestContractingMigration: the rule notices what it is there for.
func TestContractingMigration(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		text string
		want int
	}{
		{"ALTER TABLE pages ADD COLUMN mood TEXT NOT NULL DEFAULT '';\nCREATE INDEX a ON pages (mood);\nCREATE TABLE b (id TEXT NOT NULL);\nCREATE UNIQUE INDEX c ON b (id)", 0},
		{"ALTER TABLE pages DROP COLUMN mood", 1},
		{"-- unused since v1.2.0: moods are tags\nALTER TABLE pages DROP COLUMN mood;\nDROP TABLE moods", 1},
		{"-- DROP is only a word here\nCREATE INDEX a ON pages (mood);\n-- +goose Down\nDROP INDEX a", 0},
		{"alter table pages\n  rename column mood to tone", 1},
		{"ALTER TABLE pages ADD mood TEXT NOT NULL", 1},
		{"ALTER TABLE pages ALTER COLUMN mood SET NOT NULL", 1},
		{"ALTER TABLE pages ALTER COLUMN mood DROP NOT NULL", 0},
		{"ALTER TABLE pages ALTER COLUMN mood TYPE bigint", 1},
		{"CREATE UNIQUE INDEX a ON pages (mood)", 1},
		{"ALTER TABLE pages ADD CONSTRAINT a CHECK (mood <> '')", 1},
	} {
		if have := contractions(x.text); len(have) != x.want {
			t.Errorf("%s: have %q, want %d", x.text, have, x.want)
		}
	}
}

// TestSchemaFloor: nothing is taken away from programs that could still be
// started.
func TestSchemaFloor(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"ALTER TABLE pages ADD COLUMN mood TEXT":                                                                                      true,
		"-- unused since v1.2.0: moods are tags\nALTER TABLE pages DROP COLUMN mood;":                                                 false,
		"-- unused since v1.2.0: moods are tags\nALTER TABLE pages DROP COLUMN mood;\nUPDATE schema_floor SET version = 13;":          true,
		"-- unused since v1.2.0: moods are tags\nALTER TABLE pages DROP COLUMN mood;\nUPDATE schema_floor SET version = 15;\n-- next": false,
	} {
		if have := floored(text, 14); have != want {
			t.Errorf("%s: have %t", text, have)
		}
	}
}
