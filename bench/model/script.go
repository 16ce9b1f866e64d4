package model

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Op is what a step does.
type Op string

// The operations. Path and To are relative to the tree; N selects contents and is
// told for each.
const (
	OpWrite    Op = "write"    // Path in place, version N
	OpSave     Op = "save"     // Path through a temporary file and a rename, version N
	OpAppend   Op = "append"   // a definition, version N
	OpTruncate Op = "truncate" // to N percent
	OpAlike    Op = "alike"    // other bytes of the same size, in place, and the old mtime; N selects them
	OpRename   Op = "rename"   // Path, a file or a directory, to To
	OpDelete   Op = "delete"   // Path and what is below it
	OpMkdir    Op = "mkdir"    // Path
	OpChmod    Op = "chmod"    // Path to mode N
	OpTouch    Op = "touch"    // Path's mtime to N seconds before a moment long ago; after it if N is negative
	OpSymlink  Op = "symlink"  // Path, leading to To
	OpLink     Op = "link"     // hard link of Path as To
	OpCase     Op = "case"     // Path's last element to the other case
	OpToFile   Op = "tofile"   // directory Path becomes a file, version N
	OpToDir    Op = "todir"    // file Path becomes a directory with a file, version N
	OpBurst    Op = "burst"    // N files in directory Path
	OpOut      Op = "out"      // Path leaves the tree, to place N
	OpIn       Op = "in"       // what is in place N comes in as Path
	OpIgnore   Op = "ignore"   // the ignore file Path, version N
	OpExclude  Op = "exclude"  // the excludes of the repository, version N of an ignore file
	OpCommit   Op = "commit"   // git add, commit and tag as N
	OpCheckout Op = "checkout" // git checkout of the commit tagged N
	OpStash    Op = "stash"    // git stash, with untracked files
	OpPop      Op = "pop"      // git stash pop
	OpReset    Op = "reset"    // git reset --hard
	OpAsk      Op = "ask"      // questions chosen by N, answers not compared
	OpRefresh  Op = "refresh"  // a question that requires a fresh answer, not compared
	OpReindex  Op = "reindex"  // changed, everything or Path
	OpFull     Op = "full"     // reindex full
	OpTidy     Op = "tidy"     // idle work; beside the next steps if N is odd
	OpReopen   Op = "reopen"   // close and open the engine
	OpBarrier  Op = "barrier"  // compare; N selects the questions, some of which come first if it is odd
)

// Step is one line of a script.
type Step struct {
	Op   Op     `json:"op"`
	Path string `json:"path,omitempty"`
	To   string `json:"to,omitempty"`
	N    int    `json:"n,omitempty"`
}

func (s Step) String() string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// Script is a list of steps.
type Script []Step

// String returns a script as Parse reads it: one step a line.
func (s Script) String() string {
	var b strings.Builder
	for _, step := range s {
		b.WriteString(step.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Parse reads a script. Empty lines and those that begin with # say nothing.
func Parse(r io.Reader) (Script, error) {
	var out Script
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		var s Step
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&s); err != nil {
			return nil, fmt.Errorf("read script, line %d: %w", n, err)
		}
		out = append(out, s)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	return out, nil
}
