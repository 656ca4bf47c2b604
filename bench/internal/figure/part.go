package figure

import (
	"time"

	"github.com/octavo-docs/octavo/bench/internal/machine"
)

// Part is what was found of one part of Octavo, at one time.
type Part struct {
	Name    string          `json:"name"`
	Started time.Time       `json:"started"`
	Took    float64         `json:"tookSeconds"`
	Machine machine.Machine `json:"machine"`
	Figures List            `json:"figures"`
	Failed  []string        `json:"failed,omitempty"` // what could not be measured, and why
}

// Parts returns the names of the parts, in the order in which they are measured.
func Parts() []string {
	return []string{"auth", "assets", "events", "search", "reader", "proposals", "exports", "core"}
}
