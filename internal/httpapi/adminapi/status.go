package adminapi

import (
	"context"
	"net/http"
	"time"

	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// Status is the state of an installation, as seen by one of its processes.
type Status struct {
	Version  string            `json:"version"`
	Schema   int64             `json:"schema"`
	Position int64             `json:"position"`        // of the newest change
	Index    *FollowerPosition `json:"index,omitempty"` // nil if another process searches, or it is not complete
	Backlogs Backlogs          `json:"backlogs"`
}

// FollowerPosition is the position of a follower of the change log.
type FollowerPosition struct {
	Name     string `json:"name,omitempty"`
	Position int64  `json:"position"`
	Lag      int64  `json:"lag"`
}

// Backlogs are the waiting jobs.
type Backlogs struct {
	Deliveries struct {
		Pending int        `json:"pending"` // counted up to hookstore.MaxPending
		DueAt   *time.Time `json:"dueAt,omitempty"`
	} `json:"deliveries"`
	Exports struct {
		Queued     int `json:"queued"`
		Processing int `json:"processing"`
	} `json:"exports"`
	Followers []FollowerPosition `json:"followers"`
}

// GetStatus returns the state of the installation.
func (o Operations) GetStatus(r *rest.Request) (*rest.Response, error) {
	status, err := o.status(r.Context())
	if err != nil {
		return nil, err
	}
	return once(http.StatusOK, rest.EncodeJSON(status)), nil
}

// status reads the state of the installation.
func (o Operations) status(ctx context.Context) (s Status, err error) {
	st := o.Store
	s.Version = o.Product
	if s.Schema, _, err = st.DB.SchemaVersion(ctx); err != nil {
		return s, err
	}
	numbers, err := st.Numbers(ctx)
	if err != nil {
		return s, err
	}
	s.Position = numbers.Position
	if o.Search != nil && o.Search.Ready() == nil {
		position := o.Search.Stats().Position
		s.Index = &FollowerPosition{Position: position, Lag: max(0, s.Position-position)}
	}
	b := &s.Backlogs
	b.Followers = []FollowerPosition{}
	for _, f := range numbers.Followers {
		if f.Name != "" { // the index has a separate field
			b.Followers = append(b.Followers, FollowerPosition{Name: f.Name, Position: f.Position, Lag: f.Lag})
		}
	}
	if b.Deliveries.Pending, err = st.Hooks.Pending(ctx); err != nil {
		return s, err
	}
	due, err := st.Hooks.OldestDue(ctx)
	if err != nil {
		return s, err
	}
	if !due.IsZero() {
		b.Deliveries.DueAt = &due
	}
	exports, err := st.Exports.Numbers(ctx)
	b.Exports.Queued, b.Exports.Processing = exports.Queued, exports.Processing
	return s, err
}
