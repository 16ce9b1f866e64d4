package sdk

import (
	"bufio"
	"errors"
	"io"
)

var errLineTooLong = errors.New("message too long")

// readLine reads one line of at most limit bytes. A longer one is skipped to its
// end and reported as errLineTooLong, so that the stream stays in step. A last
// line without a newline counts.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if !long && len(line)+len(part) > limit {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !long):
			return nil, err
		case long:
			return nil, errLineTooLong
		}
		return line, nil
	}
}
