package yaml

import (
	"path"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// file says what reads a file, and so what its keys mean.
type file uint8

const (
	plain file = iota
	workflow
	compose
	pipeline
	kustomization
)

func kindOf(p graph.Path) file {
	base := strings.TrimSuffix(strings.TrimSuffix(p.Base(), ".yml"), ".yaml")
	switch {
	case strings.Contains("/"+string(p), "/.github/") || base == "action":
		return workflow
	case strings.HasPrefix(base, "docker-compose") || strings.HasPrefix(base, "compose") || strings.HasSuffix(base, ".compose"):
		return compose
	case strings.HasPrefix(base, ".gitlab-ci"):
		return pipeline
	case base == "kustomization":
		return kustomization
	}
	return plain
}

// uses reads the value of the innermost key, where it names other keys or files.
func uses(r *rules.Reader, p *place, value sitter.Node) {
	if value == sitter.None {
		return
	}
	key := p.keys[len(p.keys)-1]
	switch p.kind {
	case workflow:
		switch {
		case key == "needs" && p.under("jobs", 3):
			names(r, value, "jobs")
		case key == "uses":
			files(r, value, "./")
		}
	case compose:
		composed(r, p, key, value)
	case pipeline:
		switch {
		case (key == "extends" || key == "needs" || key == "dependencies") && len(p.keys) == 2 && p.lists == 0:
			names(r, value, "")
		case key == "job" && len(p.keys) == 3 && p.keys[1] == "needs":
			names(r, value, "")
		case key == "local" && p.keys[0] == "include", key == "include" && len(p.keys) == 1:
			files(r, value, "")
		}
	case kustomization:
		if (key == "resources" || key == "bases" || key == "components") && len(p.keys) == 1 {
			files(r, value, "")
		}
	default:
		switch key {
		case "$ref":
			files(r, value, "")
		case "include_tasks", "import_tasks", "import_playbook":
			files(r, value, "")
		}
	}
}

// under reports whether the innermost key is the last of n below a key.
func (p *place) under(top string, n int) bool {
	return len(p.keys) == n && p.keys[0] == top && p.lists == 0
}

// composed reads what a service of a compose file is made of.
func composed(r *rules.Reader, p *place, key string, value sitter.Node) {
	switch {
	case key == "include" && len(p.keys) == 1:
		files(r, value, "")
	case p.keys[0] != "services" || p.lists > 0 && key != "source":
	case len(p.keys) == 3:
		switch key {
		case "depends_on", "links":
			names(r, value, "services")
		case "extends":
			if isScalar(r, inner(r, value)) {
				names(r, value, "services")
			}
		case "networks", "configs", "secrets", "volumes":
			names(r, value, key)
		case "env_file":
			files(r, value, "")
		case "build":
			built(r, value)
		}
	case len(p.keys) == 4 && key == "service" && p.keys[2] == "extends":
		names(r, value, "services")
	case len(p.keys) == 4 && key == "file" && p.keys[2] == "extends":
		files(r, value, "")
	}
}

// built adds the import of the Dockerfile that a service is built from.
func built(r *rules.Reader, value sitter.Node) {
	n := inner(r, value)
	context, dockerfile := "", "Dockerfile"
	if isScalar(r, n) {
		context, _, _ = nameOf(r, n)
	}
	for c := range r.Tree.Children(n) {
		if !r.Is(c, "block_mapping_pair", "flow_pair") {
			continue
		}
		name, _, _ := nameOf(r, r.Find(c, "key"))
		if to := r.Find(c, "value"); to != sitter.None && name == "context" {
			context, _, _ = nameOf(r, to)
		} else if to != sitter.None && name == "dockerfile" {
			dockerfile, _, _ = nameOf(r, to)
		}
	}
	if context != "" && !strings.ContainsAny(context, "$:") && dockerfile != "" {
		r.Builder.AddImport(graph.Import{Module: rules.Beside(path.Join(context, dockerfile)), Span: r.Span(n)})
	}
}

// names adds a reference for each name in a value: a scalar, a list, or the keys of a map.
func names(r *rules.Reader, value sitter.Node, below string) {
	each(r, value, func(text string, start, end uint32) {
		if name, _, ok := strings.Cut(text, ":"); ok { // volume:/path
			text, end = name, start+uint32(len(name))
		}
		if text != "" && !strings.HasPrefix(text, "./") && !strings.ContainsAny(text, "/$ {}~") {
			r.AddRef(graph.Ref{Name: text, Qualifier: below, Use: graph.UseRead, Span: r.SpanBetween(start, end)})
		}
	})
}

// files adds the import of each path in a value that begins so. What stands behind # is a
// place in the file.
func files(r *rules.Reader, value sitter.Node, prefix string) {
	each(r, value, func(text string, start, end uint32) {
		to, _, _ := strings.Cut(text, "#")
		to = strings.TrimPrefix(strings.TrimSuffix(to, "/"), "/")
		if strings.HasPrefix(text, prefix) && to != "" && !strings.ContainsAny(to, "${}: ") {
			r.Builder.AddImport(graph.Import{Module: rules.Beside(to), Span: r.SpanBetween(start, end)})
		}
	})
}

// inner goes down to the node that is a scalar, a list or a map.
func inner(r *rules.Reader, n sitter.Node) sitter.Node {
	for n != sitter.None && !isScalar(r, n) && !r.Is(n, "block_sequence", "flow_sequence", "block_mapping", "flow_mapping", "alias") {
		last := sitter.None
		for c := range r.Tree.Children(n) { // tags and anchors stand before
			last = c
		}
		n = last
	}
	return n
}

func isScalar(r *rules.Reader, n sitter.Node) bool {
	return r.Is(n, "plain_scalar", "double_quote_scalar", "single_quote_scalar")
}

// each calls f with the scalar that a value is, or those of a list, or the keys of a map.
func each(r *rules.Reader, value sitter.Node, f func(text string, start, end uint32)) {
	n := inner(r, value)
	one := func(at sitter.Node) {
		if at = inner(r, at); isScalar(r, at) {
			if text, start, end := nameOf(r, at); text != "" {
				f(text, start, end)
			}
		}
	}
	switch {
	case isScalar(r, n):
		one(n)
	case r.Is(n, "block_sequence", "flow_sequence"):
		for c := range r.Tree.Children(n) {
			one(c)
		}
	case r.Is(n, "block_mapping", "flow_mapping"):
		for c := range r.Tree.Children(n) {
			if key := r.Find(c, "key"); key != sitter.None {
				one(key)
			}
		}
	}
}
