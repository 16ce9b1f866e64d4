package store

import (
	"errors"
	"fmt"

	"github.com/ralph-index/ralph-index/graph/store/internal/keys"
	"github.com/ralph-index/ralph-index/graph/store/internal/kv"
)

// A large value is a row of parts, each but the last of exactly kv.MaxValue bytes.

// appendParts adds the pairs that hold value.
func appendParts(pairs []kv.Pair, prefix, value []byte) []kv.Pair {
	if value == nil {
		value = []byte{} // nil would delete the key
	}
	for part := uint16(0); ; part++ {
		n := min(len(value), kv.MaxValue)
		pairs = append(pairs, kv.Pair{Key: keys.Part(prefix, part), Value: value[:n:n]})
		value = value[n:]
		if n < kv.MaxValue {
			return pairs
		}
	}
}

// large reads a value that appendParts wrote.
func (s *Store) large(prefix []byte) ([]byte, error) {
	value, err := s.kv.Get(keys.Part(prefix, 0))
	if err != nil || len(value) < kv.MaxValue {
		return value, err
	}
	for part := uint16(1); ; part++ {
		next, err := s.kv.Get(keys.Part(prefix, part))
		if errors.Is(err, kv.ErrNotFound) {
			return nil, fmt.Errorf("%w: part %d of a value is missing", ErrCorrupt, part)
		}
		if err != nil {
			return nil, err
		}
		value = append(value, next...)
		if len(next) < kv.MaxValue {
			return value, nil
		}
	}
}

// wrap gives errors of the layer below this package's words.
func wrap(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kv.ErrClosed):
		return ErrClosed
	case errors.Is(err, kv.ErrFull):
		return fmt.Errorf("%s: %w: %w", what, ErrFull, err)
	case errors.Is(err, kv.ErrCorrupt):
		return fmt.Errorf("%s: %w: %w", what, ErrCorrupt, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}
