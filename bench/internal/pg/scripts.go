package pg

import (
	"fmt"
	"regexp"
	"strings"
)

// Reading returns a script for each of some requests that only read, from the
// statements that Octavo ran for it. Those that concern no page, such as what
// runs in the background, are left out. Request k weighs as key k under Zipf
// (s = 1) when zipf is set.
func Reading(watched [][]Statement, zipf bool) ([]Script, error) {
	var scripts []Script
	for k, statements := range watched {
		script := Script{Weight: 1}
		if zipf {
			script.Weight = max(1, 10_000/(k+1))
		}
		for _, s := range statements {
			if aboutPages.MatchString(s.Text) {
				script.Statements = append(script.Statements, s.Text)
			}
		}
		if len(script.Statements) == 0 {
			return nil, fmt.Errorf("request %d ran no statement about pages", k)
		}
		scripts = append(scripts, script)
	}
	return scripts, nil
}

var (
	aboutPages = regexp.MustCompile(`(?i)\b(FROM|JOIN|INTO|UPDATE)\s+pages\b`)
	inserts    = regexp.MustCompile(`(?i)^\s*INSERT INTO pages\b`)
	begins     = regexp.MustCompile(`(?i)^\s*(BEGIN|START TRANSACTION)\b`)
	ends       = regexp.MustCompile(`(?i)^\s*COMMIT\b`)
	eventID    = regexp.MustCompile(`'evt_[0-9a-z]{26}'`)
)

// unique is an expression that no two transactions share and that rises with
// time, as the identifiers of Octavo do: the start of the transaction in
// microseconds, and the client.
const unique = `(extract(epoch FROM now()) * 1000000)::bigint || 'c' || :client_id`

// Creating returns the script of a create: the transaction in which Octavo
// wrote the page, with identifiers that differ each time.
func Creating(statements []Statement, id, slug string) (Script, error) {
	script := Script{Weight: 1}
	events := map[string]int{}
	for _, s := range transaction(statements) {
		text := strings.ReplaceAll(s, "'"+id+"'", "('page_' || "+unique+")")
		text = strings.ReplaceAll(text, "'"+slug+"'", "('bench-' || "+unique+")")
		text = eventID.ReplaceAllStringFunc(text, func(event string) string {
			if _, ok := events[event]; !ok {
				events[event] = len(events)
			}
			return fmt.Sprintf("('evt_%d' || %s)", events[event], unique)
		})
		script.Statements = append(script.Statements, text)
	}
	if len(script.Statements) == 0 {
		return script, fmt.Errorf("page %s was not written in a transaction that was seen", id)
	}
	return script, nil
}

// transaction returns the statements of the transaction that creates a page.
func transaction(statements []Statement) []string {
	for i, s := range statements {
		if !inserts.MatchString(s.Text) {
			continue
		}
		var found []string
		open := false
		for j, other := range statements {
			if other.Session != s.Session {
				continue
			}
			if begins.MatchString(other.Text) {
				if j > i {
					break
				}
				found, open = nil, true
			}
			if open {
				found = append(found, other.Text)
			}
			if open && ends.MatchString(other.Text) {
				if j > i {
					return found
				}
				open = false
			}
		}
	}
	return nil
}
