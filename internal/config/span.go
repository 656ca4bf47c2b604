package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	day     = 24 * time.Hour
	maxDays = 36500
)

// Span is a duration, not negative, that may be given in days.
type Span struct{ time.Duration }

func (s *Span) UnmarshalText(text []byte) (err error) {
	if number, ok := strings.CutSuffix(string(text), "d"); ok {
		var days int64
		days, err = strconv.ParseInt(number, 10, 32)
		if err == nil && days > maxDays {
			err = strconv.ErrRange
		}
		s.Duration = time.Duration(days) * day
	} else {
		s.Duration, err = time.ParseDuration(string(text))
	}
	if err != nil || s.Duration < 0 {
		return fmt.Errorf("%q is not a length of time: write one such as 30d, 12h or 90m", text)
	}
	return nil
}

// String uses days if the span is a whole number of them.
func (s Span) String() string {
	if s.Duration > 0 && s.Duration%day == 0 {
		return strconv.FormatInt(int64(s.Duration/day), 10) + "d"
	}
	return s.Duration.String()
}
