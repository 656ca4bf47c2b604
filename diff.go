package octavo

// RevisionDiff is how the content of a page changed from one revision to another.
type RevisionDiff struct {
	From  int64      `json:"from"`
	To    int64      `json:"to"`
	Hunks []DiffHunk `json:"hunks"`
}

// DiffHunk is a place in which two texts differ, with some lines around it, as in a
// unified diff.
type DiffHunk struct {
	OldStart int `json:"oldStart"` // from 1; the line before where there are no lines
	OldLines int `json:"oldLines"`
	NewStart int `json:"newStart"`
	NewLines int `json:"newLines"`

	// Lines are those of the hunk without their ends. Each begins with a space where
	// both texts have it, with - or with +. What begins with a backslash says that the
	// line before has no end.
	Lines []string `json:"lines"`
}
