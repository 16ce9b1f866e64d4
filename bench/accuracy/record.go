package accuracy

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Record is one line of a truth or of an export. Which fields it has depends on K: def,
// call, import, inherits. Lines and columns are 1-based, columns in bytes.
type Record struct {
	K    string `json:"k"`
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	End  int    `json:"end"`

	Local bool `json:"local"`
	Ext   bool `json:"ext"` // leads out of the tree

	CallerFile string  `json:"caller_file"`
	CallerLine int     `json:"caller_line"`
	Callee     *string `json:"callee"`
	CalleeFile string  `json:"callee_file"`
	CalleeLine int     `json:"callee_line"`
	Dispatch   string  `json:"dispatch"`
	Form       string  `json:"form"`
	Conf       string  `json:"conf"` // how sure the truth is; "none": not at all
	InitFile   string  `json:"init_file"`
	InitLine   int     `json:"init_line"`
	ClassFile  string  `json:"class_file"`
	ClassLine  int     `json:"class_line"`
	Targets    []Place `json:"targets"` // further ones that are as right

	Path       string `json:"path"`
	TargetFile string `json:"target_file"`
	TargetDir  string `json:"target_dir"`

	Rel      string `json:"rel"`
	BaseFile string `json:"base_file"`
	BaseLine int    `json:"base_line"`

	Confidence float64 `json:"confidence"`
	Provenance string  `json:"provenance"`
}

// Place is a line of a file. In JSON it is an array of the two.
type Place struct {
	File string
	Line int
}

// UnmarshalJSON reads ["file", line].
func (p *Place) UnmarshalJSON(b []byte) error {
	var pair [2]json.RawMessage
	if err := json.Unmarshal(b, &pair); err != nil {
		return fmt.Errorf("read place: %w", err)
	}
	return errors.Join(json.Unmarshal(pair[0], &p.File), json.Unmarshal(pair[1], &p.Line))
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Read reads records from a file, which may be compressed with gzip.
func Read(name string) ([]Record, error) {
	var out []Record
	err := lines(name, func(line []byte) error {
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if r.K != "ref" {
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

// lines calls use with each line of a file that is not empty.
func lines(name string, use func([]byte) error) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("read records: %w", err)
	}
	defer func() { _ = f.Close() }()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<20), 64<<20)
	for n := 1; s.Scan(); n++ {
		if len(strings.TrimSpace(s.Text())) == 0 {
			continue
		}
		if err := use(s.Bytes()); err != nil {
			return fmt.Errorf("read %s, line %d: %w", name, n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}
