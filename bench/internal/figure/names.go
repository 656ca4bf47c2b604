package figure

// Octavo is the program, whose figures stand beside those of peers. Figures of
// Go benchmarks bear the name of their package.
const Octavo = "Octavo"

// Peers of exports. Those of search bear the names that the table shows.
const (
	Wkhtmltopdf = "wkhtmltopdf"
	Chromium    = "Chromium"
	WeasyPrint  = "WeasyPrint"
	Hugo        = "Hugo"
	Fpdf        = "go-pdf/fpdf"
	Zip         = "archive/zip"
)

// What is made, read and sent.
const (
	Book        = "PDF of 300 pages"
	LongBook    = "PDF of 1,000 pages"
	Pictures    = "PDF of 1,000 pages with 1,000 images"
	Sheets      = "PDF of 1,000 sheets of text"
	Site        = "site of 1,000 pages"
	Originals   = "zip of 1,000 Markdown files"
	Reads       = "2,000 page reads a second"
	ReadsBeside = "2,000 page reads a second during an export"
	Upload      = "upload of 1 GiB"
	PageJSON    = "a page as JSON, 16 connections of wrk"
	WarmPage    = "a page that is kept, 16 connections of wrk"
	Unchanged   = "304, 16 connections of wrk"
	Cold        = "a page of 20 kB that was not asked for before"
	Published   = "a page right after it was published"
	Elsewhere   = "a page published by another process"
	SearchPage  = "a search page over 16,700 pages"
	FirstVisit  = "a first visit on a slow telephone"
	NextPage    = "the next page on a slow telephone"
	Dialog      = "the search dialog opens"
	Results     = "results after a key"
	All         = "all" // of the queries; other figures of relevance bear the name of a class
)

// Units.
const (
	Wall    = "s-wall"
	CPU     = "s-CPU"
	Peak    = "MB-peak"
	Size    = "MB-file"
	Tail    = "p99-ms"
	Middle  = "p50-ms"
	Rate    = "requests/s"
	CPUEach = "CPU-µs"
	Paint   = "largest-paint-ms"
	Shift   = "layout-shift"
	Blocked = "blocked-ms"
	Took    = "ms"
	MRR     = "MRR@10"
	First   = "Success@1"
	Queries = "queries"
	Mean    = "mean-ms"
)
