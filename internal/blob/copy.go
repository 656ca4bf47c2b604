package blob

import (
	"context"
	"errors"
	"fmt"
)

// copyAcross implements Transfer by reading and writing, for stores without a better way.
func copyAcross(ctx context.Context, s Store, key, from, to string, move bool) (err error) {
	source := s
	if from != "" {
		if source, err = s.Apart(from); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, source.Close()) }()
	}
	target, err := s.Apart(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	file, err := source.Open(ctx, key)
	if errors.Is(err, ErrNotFound) {
		there, err := target.Open(ctx, key)
		if err != nil {
			return err
		}
		return there.Close()
	}
	if err != nil {
		return err
	}
	if err := errors.Join(target.Put(ctx, key, file), file.Close()); err != nil {
		return fmt.Errorf("transfer file %s: %w", key, err)
	}
	if move {
		return source.Remove(ctx, key)
	}
	return nil
}
