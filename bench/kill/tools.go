package kill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// tempPrefix begins the names of files that a server has not finished.
const tempPrefix = ".ralph-tmp-"

// useTool has a server change a file, and looks at the file itself when the server
// has died of it: it must be as it was, or as it was to be.
func (r *run) useTool(ctx context.Context) error {
	p := r.procs[r.rng.IntN(len(r.procs))]
	file := r.files.changed[r.rng.IntN(len(r.files.changed))]
	text, there := r.files.texts[file]
	switch r.rng.IntN(8) {
	case 0:
		dir := fmt.Sprintf("made_%d", r.files.number())
		if err := r.tool(ctx, p, "create_directory", map[string]any{"path": dir}); err != nil {
			return err
		}
		return os.RemoveAll(r.files.path(dir))
	case 1, 2:
		if !there {
			return nil
		}
		if err := r.tool(ctx, p, "delete_path", map[string]any{"path": file}); err != nil {
			return err
		}
		return r.look(file, text, "", "")
	case 3:
		return r.moveThereAndBack(ctx, p, file)
	case 4, 5: // a file with another name is written in place
		link := r.o.Dir + "-link"
		if err := os.Link(r.files.path(file), link); err == nil {
			defer func() { _ = os.Remove(link) }()
		}
	}
	want, token := r.files.next(file)
	tool, args := "write_file", map[string]any{"path": file, "content": want}
	if base, ok := r.files.bases[file]; ok && text == base && r.rng.IntN(2) == 0 {
		tool, args = "append_file", map[string]any{"path": file, "content": strings.TrimPrefix(want, base)}
	}
	if err := r.tool(ctx, p, tool, args); err != nil {
		return err
	}
	return r.look(file, text, want, token)
}

// moveThereAndBack gives a file another name for a moment.
func (r *run) moveThereAndBack(ctx context.Context, p *process, file string) error {
	if _, there := r.files.texts[file]; !there {
		return nil
	}
	other := path.Join(path.Dir(file), fmt.Sprintf("moved_%d.py", r.files.number()))
	for _, names := range [][2]string{{file, other}, {other, file}} {
		if err := r.tool(ctx, p, "move_file", map[string]any{"src": names[0], "dest": names[1]}); err != nil {
			return err
		}
		_, missing := os.Lstat(r.files.path(names[1]))
		if errors.Is(missing, fs.ErrNotExist) {
			return nil
		}
		r.files.moved(names[0], names[1])
		if err := r.look(names[1], r.files.texts[names[1]], "", r.files.tokens[names[1]]); err != nil {
			return err
		}
	}
	return nil
}

// tool makes a call. That its server dies under it is no error.
func (r *run) tool(ctx context.Context, p *process, name string, args map[string]any) error {
	var ans map[string]any
	err := p.call(ctx, name, args, &ans)
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, client.ErrClosed):
		return nil
	}
	r.wrong("%s of %v: %v", name, args["path"], err)
	return nil
}

// look takes note of what a file holds after a call: what it did, or what the call
// was to give it, with the token; "" is no file.
func (r *run) look(file, was, want, token string) error {
	b, err := os.ReadFile(r.files.path(file))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch got := string(b); {
	case err != nil:
		r.files.forget(file)
		delete(r.files.texts, file)
		if want != "" && was != "" {
			r.wrong("%s is gone", file)
		}
	case got == was:
	case got == want:
		r.files.took(file, want, token)
	default:
		r.wrong("%s: %d bytes, neither the %d that it had nor the %d that it was to get", file, len(got), len(was), len(want))
		r.files.took(file, got, "")
	}
	return nil
}

// strays lists what killed servers have left beside the files.
func (r *run) strays() ([]string, error) {
	var found []string
	err := filepath.WalkDir(r.o.Dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == indexDir):
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), tempPrefix):
			found = append(found, p)
		}
		return nil
	})
	return found, err
}
