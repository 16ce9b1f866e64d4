// Package ignore decides which paths git would ignore.
//
// It follows git's own rules: nested .gitignore files, negation, directory-only
// and anchored patterns, **, escapes and character classes, .git/info/exclude, the
// user's global excludes, and a directory that is excluded takes everything below
// it with it. Unlike git it obeys .gitignore files also where no repository is.
// It is not a walker: freshness/tree reads the directories and asks.
package ignore

// Env knows where the user's global excludes are.
type Env struct {
	getenv func(string) string
}

// NewEnv returns an Env that reads variables through getenv.
func NewEnv(getenv func(string) string) *Env { return &Env{getenv: getenv} }
