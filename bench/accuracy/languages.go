package accuracy

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// languageOf names the language of a file, as far as languages have tables of their own:
// those whose files refer to each other share one.
func languageOf(file string) string {
	switch ext := strings.ToLower(path.Ext(file)); ext {
	case ".py", ".pyi":
		return "Python"
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs":
		return "TypeScript and JavaScript"
	case ".go":
		return "Go"
	case ".java":
		return "Java"
	case ".rs":
		return "Rust"
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".inc":
		return "C and C++"
	default:
		return strings.TrimPrefix(ext, ".")
	}
}

// Languages lists the languages of the files that a truth judges, in order.
func Languages(truth []Record) (out []string) {
	for i := range truth {
		if l := languageOf(truth[i].File); truth[i].File != "" && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return out
}

// OfLanguage returns the records of the files of one language; nil of nil.
func OfLanguage(records []Record, language string) []Record {
	if records == nil {
		return nil
	}
	out := []Record{}
	for i := range records {
		if languageOf(records[i].File) == language {
			out = append(out, records[i])
		}
	}
	return out
}

// Texts returns a function that reads the files of a tree, each once.
func Texts(dir string) func(file string) string {
	seen := map[string]string{}
	return func(file string) string {
		text, ok := seen[file]
		if !ok && filepath.IsLocal(file) {
			b, err := os.ReadFile(filepath.Join(dir, file))
			if err == nil { // a truth may name files that the tree has not
				text = string(b)
			}
			seen[file] = text
		}
		return text
	}
}
