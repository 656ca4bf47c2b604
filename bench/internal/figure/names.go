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
	All         = "all" // of the queries; other figures of relevance bear the name of a class
)

// Units.
const (
	Wall    = "s-wall"
	CPU     = "s-CPU"
	Peak    = "MB-peak"
	Size    = "MB-file"
	Tail    = "p99-ms"
	MRR     = "MRR@10"
	First   = "Success@1"
	Queries = "queries"
	Mean    = "mean-ms"
)
