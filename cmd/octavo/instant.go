package main

import (
	"time"

	"github.com/octavo-docs/octavo"
)

// instant is a time that --json prints as the API does, see [octavo.AppendTime].
type instant struct{ time.Time }

func (t instant) MarshalJSON() ([]byte, error) { return octavo.AppendTime(nil, t.Time), nil }
