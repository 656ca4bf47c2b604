package report

import (
	"fmt"

	"github.com/octavo-docs/octavo/bench/internal/figure"
)

// goal is what a figure of a part has to reach: a limit for its value, or for
// its ratio to another figure.
type goal struct {
	figure  string // in words
	ours    source
	beside  source // what it is divided by; the zero value is nothing
	besides string // what that is, in words; without beside the figure is the ratio to it
	least   bool   // the limit is the least that is good enough, else the most
	limit   float64
}

// source names a figure.
type source struct{ of, name, unit string }

// most and least limit a value in the unit of its figure.
func most(figure string, ours source, limit float64) goal {
	return goal{figure: figure, ours: ours, limit: limit}
}

func least(figure string, ours source, limit float64) goal {
	return goal{figure: figure, ours: ours, limit: limit, least: true}
}

// of makes a limit for a value one for its ratio to another figure.
func (g goal) of(words string, beside source) goal {
	g.besides, g.beside = words, beside
	return g
}

// to makes a limit for a value one for a ratio, which the value is.
func (g goal) to(words string) goal {
	g.besides = words
	return g
}

// goals returns what a part has to reach.
func goals(part string) []goal {
	switch part {
	case "auth":
		return authGoals()
	case "assets":
		return assetGoals()
	case "events":
		return eventGoals()
	case "search":
		return searchGoals()
	case "reader":
		return readerGoals()
	case "proposals":
		return proposalGoals()
	case "exports":
		return exportGoals()
	}
	return nil
}

func authGoals() []goal {
	credential := func(name, unit string) source { return source{"internal/app", "Credentials/" + name, unit} }
	logins := func(unit string) source { return source{"internal/authserver", "ReadsBesideLogins", unit} }
	return []goal{
		most("an API key seen for the first time", source{"internal/auth", "FirstSight/key", "µs-first"}, 150),
		most("an access token seen for the first time", source{"internal/auth", "FirstSight/token", "µs-first"}, 150),
		most("an API key known", credential("later/key", "ns/op"), 2e3),
		most("an API key known: allocations", credential("later/key", "allocs/op"), 3),
		most("an access token known", credential("later/token", "ns/op"), 2e3),
		most("an access token known: allocations", credential("later/token", "allocs/op"), 3),
		least("refreshes at /oauth/token, SQLite", source{"internal/authserver", "Refresh", "refreshes/s"}, 1000),
		least("reads beside 50 tries to sign in a second, most of them turned away", logins("reads-kept"), .5).to("reads alone"),
		most("reads beside 50 tries to sign in a second, most of them turned away: p99", logins("p99-times"), 3).to("reads alone"),
	}
}

func assetGoals() []goal {
	web := func(name, unit string) source { return source{"internal/httpapi", name, unit} }
	list := func(name string) source { return source{"internal/store", "AssetList/sqlite/all/" + name, "ms-median"} }
	return []goal{
		least("upload of 1 GiB", web("Upload/1x1048576KiB", "ofBare"), .7).to("writing and hashing alone"),
		most("upload of 1 GiB: resident memory", source{figure.Octavo, figure.Upload, figure.Peak}, 64),
		least("download of 1 GiB", web("Download/1048576KiB", "ofServeContent"), .8).to("http.ServeContent"),
		least("download of 10 MiB", web("Download/10240KiB", "ofServeContent"), .8).to("http.ServeContent"),
		least("download of 10 KiB", web("Download/10KiB", "ofServeContent"), .8).to("http.ServeContent"),
		most("list of 100,000 assets, deep", list("any/deep"), 1.5).of("at the start", list("any/start")),
		most("list of 100,000 assets by a tag, deep", list("tag/deep"), 1.5).of("at the start", list("tag/start")),
	}
}

func eventGoals() []goal {
	hooks := func(name, unit string) source { return source{"internal/webhooks", name, unit} }
	feed := func(name string) source { return source{"internal/httpapi", name, "events/s"} }
	return []goal{
		most("commit to arrival: p50", hooks("Arrival", "p50-ms"), 50),
		most("commit to arrival: p99", hooks("Arrival", "p99-ms"), 250),
		least("deliveries", hooks("Deliveries/1", "deliveries/s"), 2000),
		least("deliveries beside 300 page writes a second", hooks("BesideWrites", "deliveries/s"), 500),
		most("300 page writes a second beside deliveries: p99", hooks("BesideWrites", "p99-ratio"), 2).to("alone"),
		most("arrival at 900 endpoints beside 100 that hang: p99", hooks("HangingEndpoints", "p99-ratio"), 1.25).to("beside 100 quick ones"),
		most("backlog of 1 million deliveries: heap", hooks("Backlog/1M", "MiB-heap"), 1.25).of("of 10,000", hooks("Backlog/10k", "MiB-heap")),
		most("backlog of 1 million deliveries: resident memory", hooks("Backlog/1M", "MiB-resident"), 1.25).of("of 10,000", hooks("Backlog/10k", "MiB-resident")),
		least("new events of the feed, told to 1,000 streams at once, 100 published a second", feed("Streams/1000"), 20_000),
		least("old events of the feed, in answers of 100", feed("Feed/sqlite/all/pages"), 20_000),
		least("old events of the feed, by one stream", feed("Feed/sqlite/all/stream"), 20_000),
		least("old events of the feed, in answers of 100, published only", feed("Feed/sqlite/published-only/pages"), 20_000),
		least("old events of the feed, by one stream, published only", feed("Feed/sqlite/published-only/stream"), 20_000),
		least("old events of the feed, in answers of 100, PostgreSQL", feed("Feed/postgres/all/pages"), 20_000),
		least("old events of the feed, by one stream, PostgreSQL", feed("Feed/postgres/all/stream"), 20_000),
	}
}

func searchGoals() []goal {
	engine := func(name, unit string) source { return source{"internal/search", name, unit} }
	web := func(name string) source { return source{"internal/httpapi", "Search/" + name, "ns/op"} }
	return []goal{
		most("a query over 20,000 pages: p50", engine("Search/queries", "p50-µs"), 1000),
		most("a query over 20,000 pages: p99", engine("Search/queries", "p99-µs"), 5000),
		most("a keystroke over 20,000 pages: p99", engine("Search/keystrokes", "p99-µs"), 10_000),
		least("queries over 20,000 pages, by two processors", engine("Search/parallel", "queries/s"), 1000),
		least("speed over HTTP with authentication", web("engine"), .8).of("the engine", web("token")),
		least("building, pages of 4 kB", engine("Build", "pages/s"), 2000),
		most("memory of 20,000 pages", engine("Memory", "B/page"), 6000),
		most("memory while 20,000 pages are indexed, what is alive", engine("Memory", "peak-live-ratio"), 2).to("after it"),
		most("start from a snapshot of 20,000 pages", engine("Snapshot/load", "ns/op"), 1e9),
		most("a query while 200 pages a second are written: p99", engine("SearchWhileWriting/writing", "p99-µs"), 2).
			of("alone", engine("SearchWhileWriting/alone", "p99-µs")),
		most("a query over 200,000 pages: p99", engine("Large/queries", "p99-µs"), 25_000),
		most("a change of one of 200,000 pages", engine("Large/change", "ns/op"), 1.5).of("of 20,000", engine("SmallChange", "ns/op")),
	}
}

func proposalGoals() []goal {
	web := func(name, unit string) source { return source{"internal/httpapi", name, unit} }
	return []goal{
		most("merge of 1,000 changed pages", web("Merge", "s/merge"), 2),
		most("a write beside that merge: longest wait", web("Merge", "held/bulk"), 1.2).to("beside a bulk request with the same updates"),
		most("checks of a proposal of 100 pages of 8 KB", web("Checks", "ns/op"), 200e6),
		most("POST /render of 20 KB: p95", web("Render", "p95-ms"), 15),
		most("GET /tree of 10,000 pages, first after a start", web("Tree/start", "ns/op"), 80e6),
		most("GET /tree of 10,000 pages, first after a change", web("Tree/changed", "ns/op"), 15e6),
		most("GET /tree of 10,000 pages, unchanged", web("Tree/unchanged", "ns/op"), 1.05).of("a page", web("Tree/page", "ns/op")),
		most("comparing two texts of 100 KB", source{"internal/merge", "Hunks", "ns/op"}, 10e6),
	}
}

func readerGoals() []goal {
	own := func(name, unit string) source { return source{figure.Octavo, name, unit} }
	json := own(figure.PageJSON, figure.Rate)
	return []goal{
		least(figure.WarmPage, own(figure.WarmPage, figure.Rate), .5).of("as JSON", json),
		least(figure.Unchanged, own(figure.Unchanged, figure.Rate), .7).of("as JSON", json),
		most(figure.Cold+": p99", own(figure.Cold, figure.Tail), 10),
		most(figure.SearchPage+": p99", own(figure.SearchPage, figure.Tail), 10),
		most(figure.Published+": p99", own(figure.Published, figure.Tail), 50),
		most(figure.Elsewhere+": p99", own(figure.Elsewhere, figure.Tail), 200),
		most(figure.FirstVisit+": largest contentful paint", own(figure.FirstVisit, figure.Paint), 1000),
		most(figure.NextPage+": largest contentful paint", own(figure.NextPage, figure.Paint), 500),
		most(figure.FirstVisit+": layout shift", own(figure.FirstVisit, figure.Shift), .01),
		most(figure.FirstVisit+": total blocking time", own(figure.FirstVisit, figure.Blocked), 50),
		most(figure.Dialog, own(figure.Dialog, figure.Took), 100),
		most(figure.Results, own(figure.Results, figure.Took), 150),
	}
}

func exportGoals() []goal {
	parse := func(name string) source { return source{"internal/document", "Parse/" + name, "MB/s"} }
	site := func(name string) source { return source{"internal/exports/format", "Site/" + name, "ns/op"} }
	against := func(limit float64, what, unit, peer string) goal {
		kind := map[string]string{figure.Wall: "wall time", figure.CPU: "CPU time", figure.Peak: "memory", figure.Size: "size"}[unit]
		return most(what+": "+kind, source{figure.Octavo, what, unit}, limit).of(peer, source{peer, what, unit})
	}
	return []goal{
		against(.4, figure.Book, figure.Wall, figure.Wkhtmltopdf),
		against(.1, figure.Book, figure.Wall, figure.Chromium),
		against(.8, figure.Book, figure.Peak, figure.Wkhtmltopdf),
		against(.7, figure.Book, figure.Size, figure.Wkhtmltopdf),
		most(figure.LongBook+": memory", source{figure.Octavo, figure.LongBook, figure.Peak}, 1.3).of(figure.Book, source{figure.Octavo, figure.Book, figure.Peak}),
		most(figure.Pictures+": memory", source{figure.Octavo, figure.Pictures, figure.Peak}, 256),
		against(1.5, figure.Sheets, figure.CPU, figure.Fpdf),
		against(.5, figure.Sheets, figure.Peak, figure.Fpdf),
		against(.6, figure.Site, figure.CPU, figure.Hugo),
		against(.5, figure.Site, figure.Peak, figure.Hugo),
		most("a site again", site("again"), .25).of("the first time", site("first")),
		least("parsing MDX", parse("mdx"), .7).of("Markdown", parse("markdown")),
		most("zip of Markdown files, made by a server of its pages", source{"internal/exports/format", "Markdown", "ofZip"}, 1.3).to("archive/zip, of files of the disk"),
		most(figure.ReadsBeside+": p99", source{figure.Octavo, figure.ReadsBeside, figure.Tail}, 2).
			of("alone", source{figure.Octavo, figure.Reads, figure.Tail}),
	}
}

// PartRows compares what was measured of a part with its goals. A goal whose
// figure was not measured keeps its row.
func PartRows(p figure.Part) []Row {
	var rows []Row
	for _, g := range goals(p.Name) {
		rows = append(rows, g.row(p.Figures))
	}
	if p.Name == "search" {
		rows = append(rows, relevanceRows(p.Figures)...)
	}
	return rows
}

func (g goal) row(figures figure.List) Row {
	sign := "≤"
	if g.least {
		sign = "≥"
	}
	r := Row{Figure: g.figure, Beside: g.besides, Goal: fmt.Sprintf("%s %.2f", sign, g.limit)}
	if g.besides == "" {
		r.Goal = sign + " " + amount(g.limit, g.ours.unit)
	}
	value, measured := g.ours.find(figures)
	if !measured {
		return r
	}
	r.Octavo = amount(value, g.ours.unit)
	if g.beside != (source{}) {
		other, measured := g.beside.find(figures)
		if !measured || other == 0 {
			r.Beside, r.NoGoal = g.besides+", not measured", true
			return r
		}
		r.Beside += " " + amount(other, g.beside.unit)
		value /= other
	}
	if g.besides != "" {
		r.Ratio = value
	}
	r.Met = value <= g.limit
	if g.least {
		r.Met = value >= g.limit
	}
	return r
}

// find returns the median of a figure.
func (s source) find(figures figure.List) (value float64, measured bool) {
	for _, f := range figures {
		if f.Of == s.of && f.Name == s.name && f.Unit == s.unit {
			return f.Median(), len(f.Values) > 0
		}
	}
	return 0, false
}
