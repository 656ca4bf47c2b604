// Package moment parses the many date formats of front matter. It does not interpret
// them.
package moment

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

func layouts() []string {
	return []string{
		"2006-1-2", "2006/1/2", "2006.1.2", "20060102", "2006-1", "2006", "1/2/2006", "2/1/2006", "2.1.2006", "2-1-2006",
		"Jan 2, 2006", "January 2, 2006", "Jan 2 2006", "January 2 2006", "2 Jan 2006", "2 January 2006",
		"Mon, 2 Jan 2006", "Mon Jan 2 2006", "Monday, January 2, 2006", "Monday, 2 January 2006",
	}
}

// clocks are the formats of a time of day, which may follow a date.
func clocks() []string {
	list := []string{""}
	for _, clock := range []string{"15:04:05", "15:04", "3:04 PM"} {
		for _, zone := range []string{"", "Z07:00", " Z07:00", "Z0700", " -0700", " UTC", " GMT"} {
			list = append(list, "T"+clock+zone, " "+clock+zone)
		}
	}
	return list
}

// Of returns the possible readings of a text, usually one: 3/4/2030 has two. The default
// zone is UTC. Text that only contains years is vague; its readings are their first and
// last moments.
func Of(text string) (list []time.Time, vague bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if len(text) > 100 || !strings.ContainsAny(text, "0123456789") {
		return nil, false
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339, time.DateTime, "2006-01-02 15:04:05 -0700"} { // the common formats
		if t, err := time.Parse(layout, text); err == nil {
			return []time.Time{t.UTC()}, false
		}
	}
	whole, _, _ := strings.Cut(text, ".")
	if seconds, err := strconv.ParseInt(whole, 10, 64); err == nil && len(whole) > len("20060102") {
		if len(whole) > len("1700000000") {
			seconds /= 1000
		}
		return []time.Time{time.Unix(seconds, 0).UTC()}, false
	}
	for _, layout := range layouts() {
		for _, clock := range clocks() {
			if t, err := time.Parse(layout+clock, text); err == nil {
				list = append(list, t.UTC())
			}
		}
	}
	if len(list) > 0 {
		return list, false
	}
	for _, year := range regexp.MustCompile(`(?:19|20)\d\d`).FindAllString(text, -1) {
		n, _ := strconv.Atoi(year)
		list = append(list, time.Date(n, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(n+1, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	return list, true
}
