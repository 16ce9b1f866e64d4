package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// isTerminal reports whether a stream shows its text to a person.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), ioctlTermios)
	return err == nil
}

// colored reports whether the output may hold colours.
func (a *app) colored() bool {
	switch a.color {
	case "always":
		return true
	case "never":
		return false
	}
	if a.getenv("NO_COLOR") != "" || a.getenv("TERM") == "dumb" {
		return false
	}
	return isTerminal(a.stdout) || a.getenv("CLICOLOR_FORCE") != "" && a.getenv("CLICOLOR_FORCE") != "0"
}

// style is a colour of the terminal.
type style string

const (
	stylePath   style = "35"
	styleNumber style = "32"
	styleStrong style = "1"
	styleFaint  style = "2"
)

// printer writes an answer to the output, once, buffered.
type printer struct {
	w     *bufio.Writer
	color bool
	width int // longer lines are cut; 0: none
}

func (a *app) printer() *printer {
	return &printer{w: bufio.NewWriterSize(a.stdout, 64<<10), color: a.colored()}
}

func (p *printer) paint(s style, text string) string {
	if !p.color || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// place writes "path:line:col: ", the form that editors open.
func (p *printer) place(path string, line, col uint32) string {
	return fmt.Sprintf("%s:%s:%s: ", p.paint(stylePath, visible(path)),
		p.paint(styleNumber, fmt.Sprint(line)), fmt.Sprint(max(col, 1)))
}

func (p *printer) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if p.width > 0 {
		text = cutLine(text, p.width)
	}
	_, _ = p.w.WriteString(text + "\n") // flush reports what failed
}

// cutLine shortens a line to a number of characters. The sequences that colour it
// take no room.
func cutLine(text string, width int) string {
	shown, kept, inside := 0, -1, false
	for i, r := range text {
		switch {
		case r == '\x1b':
			inside = true
		case inside:
			inside = r != 'm'
		default:
			if shown >= width-1 && kept < 0 {
				kept = i
			}
			shown++
			if r == '\t' {
				shown += 7 - (shown-1)%8
			}
		}
	}
	if shown <= width {
		return text
	}
	end := "…"
	if strings.Contains(text[:kept], "\x1b") {
		end += "\x1b[0m"
	}
	return text[:kept] + end
}

// plainWidth is the width of lines that are cut and go to no terminal.
const plainWidth = 160

// width is that of the terminal.
func (a *app) width() int {
	f, ok := a.stdout.(*os.File)
	if !ok {
		return plainWidth
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 {
		return plainWidth
	}
	return int(size.Col)
}

func (p *printer) flush() error {
	if err := p.w.Flush(); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// visible keeps a path or name on its line, and from steering the terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, s)
}

// printJSON writes one object, indented for a person, on one line for a program.
func (a *app) printJSON(v any) error {
	return writeJSON(a.stdout, v, isTerminal(a.stdout))
}

func writeJSON(w io.Writer, v any, indent bool) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if indent {
		e.SetIndent("", "  ")
	}
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// note writes a remark that is not data. Nobody can be told when it fails.
func (a *app) note(format string, args ...any) {
	_, _ = fmt.Fprintf(a.stderr, format+"\n", args...)
}
