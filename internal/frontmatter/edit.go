package frontmatter

import (
	"encoding/json"
	"errors"
)

var ErrWhole = errors.New("front matter has to be written anew")

type Edit struct {
	Key   string
	Value json.RawMessage
}

func Apply(raw []byte, format Format, edits []Edit) ([]byte, error) { return nil, ErrWhole }

func Merge(base, present, proposed json.RawMessage) (merged json.RawMessage, edits []Edit, conflicts []string, err error) {
	return nil, nil, []string{"all"}, nil
}
