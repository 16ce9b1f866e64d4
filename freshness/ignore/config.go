package ignore

import (
	"path/filepath"
	"strings"
)

// maxIncludes bounds how deep configuration files include one another.
const maxIncludes = 10

// config is the few of git's settings that matter for ignoring.
type config struct {
	excludesFile   string
	excludesSet    bool
	ignoreCase     bool
	worktreeConfig bool
}

// userConfig reads the system's and the user's settings, the later file winning.
func (e *Env) userConfig() config {
	var c config
	if system := e.getenv("GIT_CONFIG_SYSTEM"); system != "" {
		c.read(system, e, 0)
	} else if !isTrue(e.getenv("GIT_CONFIG_NOSYSTEM")) {
		c.read("/etc/gitconfig", e, 0)
	}
	if global := e.getenv("GIT_CONFIG_GLOBAL"); global != "" {
		c.read(global, e, 0)
		return c
	}
	if dir := e.configHome(); dir != "" {
		c.read(filepath.Join(dir, "git", "config"), e, 0)
	}
	if home := e.getenv("HOME"); home != "" {
		c.read(filepath.Join(home, ".gitconfig"), e, 0)
	}
	return c
}

func (e *Env) configHome() string {
	if dir := e.getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	if home := e.getenv("HOME"); home != "" {
		return filepath.Join(home, ".config")
	}
	return ""
}

// readGlobal returns the content of the user's excludes file.
func (e *Env) readGlobal(c config) []byte {
	data, _ := readFile(e.globalFile(c), maxRules)
	return data
}

// globalFile is where the user's excludes file would be; "" where no place is known.
func (e *Env) globalFile(c config) string {
	name := c.excludesFile
	if !c.excludesSet {
		dir := e.configHome()
		if dir == "" {
			return ""
		}
		name = filepath.Join(dir, "git", "ignore")
	}
	if !filepath.IsAbs(name) {
		return "" // relative to whatever directory git runs in: no meaning here
	}
	return name
}

// read adds the settings of one file. Conditional includes are not followed.
func (c *config) read(path string, e *Env, depth int) {
	data, ok := readFile(path, maxConfig)
	if !ok || depth > maxIncludes {
		return
	}
	parseConfig(string(data), func(section, key, value string, bare bool) {
		switch section + "." + key {
		case "core.excludesfile":
			c.excludesFile, c.excludesSet = e.expand(value), true
		case "core.ignorecase":
			c.ignoreCase = bare || isTrue(value)
		case "extensions.worktreeconfig":
			c.worktreeConfig = bare || isTrue(value)
		case "include.path":
			if p := e.expand(value); p != "" {
				c.read(resolve(filepath.Dir(path), p), e, depth+1)
			}
		}
	})
}

// expand replaces a leading ~/ by the user's home.
func (e *Env) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(e.getenv("HOME"), rest)
	}
	return path
}

func isTrue(v string) bool {
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// parseConfig calls set for each variable of a git configuration file: section and
// key in lower case; a section with a subsection is "section.subsection". bare says
// that the variable has no value at all. What is malformed is passed over.
func parseConfig(text string, set func(section, key, value string, bare bool)) {
	section := ""
	for text != "" {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return
		}
		switch text[0] {
		case '#', ';':
			_, text, _ = strings.Cut(text, "\n")
		case '[':
			section, text = parseSection(text[1:])
		default:
			n := 0
			for n < len(text) && (isAlnum(text[n]) || text[n] == '-') {
				n++
			}
			key := strings.ToLower(text[:n])
			text = strings.TrimLeft(text[n:], " \t")
			if key == "" || text != "" && text[0] != '=' && text[0] != '\n' && text[0] != '\r' && text[0] != '#' && text[0] != ';' {
				_, text, _ = strings.Cut(text, "\n")
				continue
			}
			if !strings.HasPrefix(text, "=") {
				set(section, key, "", true)
				_, text, _ = strings.Cut(text, "\n")
				continue
			}
			var value string
			value, text = parseValue(text[1:])
			set(section, key, value, false)
		}
	}
}

// parseSection reads a header behind its opening bracket.
func parseSection(text string) (section, rest string) {
	end := strings.IndexAny(text, "]\"\n")
	if end < 0 {
		return "", ""
	}
	name := strings.ToLower(strings.TrimSpace(text[:end]))
	if text[end] == ']' {
		return name, text[end+1:]
	}
	if text[end] == '\n' {
		return "", text[end:]
	}
	var sub strings.Builder
	i := end + 1
	for ; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		sub.WriteByte(text[i])
	}
	if i < len(text) && text[i] == '"' {
		i++
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	return name + "." + sub.String(), text[i:]
}

// parseValue reads a value up to the end of its line: quotes and escapes resolved,
// comments and the spaces around dropped, continued lines joined.
func parseValue(text string) (value, rest string) {
	var b strings.Builder
	keep := 0 // bytes that trailing spaces must not take
	quoted := false
	text = strings.TrimLeft(text, " \t")
	i := 0
loop:
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\n':
			break loop
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] == '\n' {
				continue
			}
			if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
				i++
				continue
			}
			b.WriteByte(unescape(text[i]))
			keep = b.Len()
		case c == '"':
			quoted = !quoted
			keep = b.Len()
		case !quoted && (c == '#' || c == ';'):
			next := strings.IndexByte(text[i:], '\n')
			if next < 0 {
				next = len(text) - i
			}
			i += next
			break loop
		default:
			b.WriteByte(c)
			if quoted || c != ' ' && c != '\t' && c != '\r' {
				keep = b.Len()
			}
		}
	}
	return b.String()[:keep], text[i:]
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	}
	return c
}

func isAlnum(c byte) bool { return isUpper(c) || isLower(c) || isDigit(c) }
