package auth

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// ParseLifetime reads how long a credential lives: a Go duration such as 15m
// or 24h, or whole days such as 90d.
func ParseLifetime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if n, ok := strings.CutSuffix(text, "d"); ok {
		var days int64
		if days, err = strconv.ParseInt(n, 10, 32); err == nil && days > 36500 {
			days, err = 0, strconv.ErrRange
		}
		d = time.Duration(days) * day
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a lifetime: write a positive one such as 15m, 24h or 90d", text)
	}
	return d, nil
}

// ParseExpiry is ParseLifetime that takes the word never too, as 0.
func ParseExpiry(text string) (time.Duration, error) {
	if text == "never" {
		return 0, nil
	}
	d, err := ParseLifetime(text)
	if err != nil {
		return 0, fmt.Errorf("%w, or never", err)
	}
	return d, nil
}
