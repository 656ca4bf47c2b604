package octavo

import (
	"encoding/json"
	"time"
)

// ImportOptions say how a file is imported (decision 88). They are complete: omitted
// members have their defaults.
type ImportOptions struct {
	From      string     `json:"from"`               // auto, files, or the name of a system
	Status    PageStatus `json:"status"`             // of new pages: draft or published
	ParentID  ID         `json:"parentId,omitempty"` // the page below which the tree is placed; "" is the top
	Language  string     `json:"language,omitempty"` // of pages that name none
	Dialect   Dialect    `json:"dialect,omitempty"`  // of the pages
	Set       string     `json:"set,omitempty"`      // import set of the pages; "" chooses one
	Gone      string     `json:"gone"`               // what happens to pages whose file is gone: keep, draft or delete
	Overwrite bool       `json:"overwrite"`          // on a conflict, the file wins
	As        ImportAs   `json:"as"`
	DryRun    bool       `json:"dryRun"`
}

// ImportAs is what an import creates.
type ImportAs string

// An import creates pages, or a proposal of changes to them.
const (
	ImportPages    ImportAs = "pages"
	ImportProposal ImportAs = "proposal"
)

// DecodeImportOptions reads the options of an import. Unknown members are ignored, or
// errors if strict (decision 48). The names of systems are checked later.
func DecodeImportOptions(v Value, strict bool) (ImportOptions, error) {
	const at = "/options"
	var faults Faults
	f := readObject(v, at, &faults)
	o := DefaultImportOptions()
	if s := f.str("from"); s != nil {
		o.From = *s
	}
	if status := oneOf(f, "status", Draft, Published); status != "" {
		o.Status = status
	}
	if id := f.str("parentId"); id != nil {
		if o.ParentID = ID(*id); !o.ParentID.Is(PrefixPage) {
			faults.Add(at+"/parentId", "must be the identifier of a page")
		}
	}
	if s := f.str("language"); s != nil && *s != "" {
		o.Language = *s
		if msg := CheckLanguage(*s); msg != "" {
			faults.Add(at+"/language", "%s", msg)
		}
	}
	if s := f.str("dialect"); s != nil && *s != "" {
		o.Dialect = Dialect(*s)
		if msg := CheckDialect(o.Dialect); msg != "" {
			faults.Add(at+"/dialect", "%s", msg)
		}
	}
	if s := f.str("set"); s != nil {
		o.Set = *s
		if msg := CheckImportSet(*s); msg != "" {
			faults.Add(at+"/set", "%s", msg)
		}
	}
	if gone := oneOf(f, "gone", "keep", "draft", "delete"); gone != "" {
		o.Gone = gone
	}
	if as := oneOf(f, "as", ImportPages, ImportProposal); as != "" {
		o.As = as
	}
	o.Overwrite = f.flag("overwrite")
	o.DryRun = f.flag("dryRun")
	f.closed(strict)
	return o, faults.Err()
}

// DefaultImportOptions are the default options of an import.
func DefaultImportOptions() ImportOptions {
	return ImportOptions{From: "auto", Status: Draft, Gone: "keep", As: ImportPages}
}

// ImportStatus is the state of an import.
type ImportStatus string

// The states of an import. The last three are final.
const (
	ImportQueued    ImportStatus = "queued"
	ImportRunning   ImportStatus = "running"
	ImportReady     ImportStatus = "ready"
	ImportFailed    ImportStatus = "failed"
	ImportCancelled ImportStatus = "cancelled"
)

// Ended reports whether the status is final.
func (s ImportStatus) Ended() bool { return s != ImportQueued && s != ImportRunning }

// ImportProgress counts the steps of an import, two for each page.
type ImportProgress struct {
	Done  int `json:"done"`
	Total int `json:"total"` // 0 until the files are known
}

// Import is an import job as clients see it.
type Import struct {
	ID        ID             `json:"id"`
	Status    ImportStatus   `json:"status"`
	Name      string         `json:"name"` // of the file
	Size      int64          `json:"size"` // of the file, in bytes
	Options   ImportOptions  `json:"options"`
	Progress  ImportProgress `json:"progress"`
	Report    *ImportReport  `json:"report,omitempty"` // once it has ended
	Error     *Problem       `json:"error,omitempty"`  // why it failed
	CreatedAt time.Time      `json:"createdAt"`
	EndedAt   *time.Time     `json:"endedAt,omitempty"`
}

// AppendJSON appends the import as clients see it.
func (v Import) AppendJSON(dst []byte) []byte {
	type plain Import
	told := struct {
		plain
		CreatedAt json.RawMessage `json:"createdAt"`
		EndedAt   json.RawMessage `json:"endedAt,omitempty"`
	}{plain: plain(v), CreatedAt: AppendTime(nil, v.CreatedAt)}
	if v.EndedAt != nil {
		told.EndedAt = AppendTime(nil, *v.EndedAt)
	}
	return appendEncoded(dst, told)
}

// ImportReport summarises an import. Its lines are read separately.
type ImportReport struct {
	From       string     `json:"from"`                 // the detected system
	Set        string     `json:"set"`                  // the import set of the pages
	Sums       ImportSums `json:"sums"`                 // of lines
	Share      float64    `json:"share"`                // of the imported files, from 0 to 1
	ProposalID ID         `json:"proposalId,omitempty"` // of the created proposal
}

// ImportSums count the lines of a report by result.
type ImportSums struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Deleted   int `json:"deleted"`
	Skipped   int `json:"skipped"`
	Failed    int `json:"failed"` // the skipped files that were refused
	Gone      int `json:"gone"`   // pages whose file is gone
	Kept      int `json:"kept"`   // pages that keep a local change in conflict with the file
	Notes     int `json:"notes"`
}

// ImportLine is the result of a file.
type ImportLine struct {
	Path   string       `json:"path"`
	ID     ID           `json:"id,omitempty"` // of its page or asset
	Slug   string       `json:"slug,omitempty"`
	Action string       `json:"action"` // created, updated, unchanged, deleted or skipped
	Notes  []ImportNote `json:"notes"`
}

// ImportNote is about something in a file that was not imported as written.
type ImportNote struct {
	Line    int    `json:"line"` // from 1
	Message string `json:"message"`
	Kind    string `json:"kind,omitempty"` // what an export lost, in a word
	Here    string `json:"here,omitempty"` // the local value that stays, though the file changed it too
	File    string `json:"file,omitempty"` // the value in the file
}
