package octavo

import (
	"testing"
	"time"
)

func TestFrontUpdated(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		`{}`:                    "0001-01-01T00:00:00Z",
		`{"date":"2024-05-06"}`: "2024-05-06T00:00:00Z",
		`{"Date":"2024-05-06"}`: "2024-05-06T00:00:00Z",
		`{"date":"2024-05-06 10:00","lastmod":"2025-01-02T03:04:05Z"}`: "2025-01-02T03:04:05Z",
		`{"last_update":{"date":"2024-05-06","author":"a"}}`:           "2024-05-06T00:00:00Z",
		`{"date":{"created":"2023-01-01","updated":"2024-05-06"}}`:     "2024-05-06T00:00:00Z",
		`{"lastUpdated":true,"date":"2024-05-06"}`:                     "2024-05-06T00:00:00Z",
		`{"lastmod":"yesterday","date":20240506}`:                      "0001-01-01T00:00:00Z",
	} {
		if have := FrontUpdated([]byte(front)).UTC().Format(time.RFC3339); have != want {
			t.Errorf("FrontUpdated(%s): have %s, want %s", front, have, want)
		}
	}
}
