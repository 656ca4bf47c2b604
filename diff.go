package octavo

// RevisionDiff is the difference between the contents of two revisions.
type RevisionDiff struct {
	From  int64      `json:"from"`
	To    int64      `json:"to"`
	Hunks []DiffHunk `json:"hunks"`
}

// DiffHunk is a place where two texts differ, with some lines around it, as in a
// unified diff.
type DiffHunk struct {
	OldStart int `json:"oldStart"` // from 1; the line before if there are no lines
	OldLines int `json:"oldLines"`
	NewStart int `json:"newStart"`
	NewLines int `json:"newLines"`

	// Lines are those of the hunk without their ends. Each begins with a space if both
	// texts have it, or with - or +. A line that begins with a backslash says that the
	// line before has no end.
	Lines []string `json:"lines"`
}
