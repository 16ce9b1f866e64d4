package markdown

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// symbol binds inline code to the definitions that it may name.
func symbol(v graph.View, m *graph.Mention) graph.Binding {
	if m.Name == "" {
		return graph.Binding{}
	}
	ids := v.Definers(m.Name)
	if len(ids) > maxDefiners {
		return graph.Binding{}
	}
	outer := parts(m.Qualifier)
	var best, rest []graph.Symbol
	for _, id := range ids {
		f, err := v.Facts(id)
		if err != nil || f == nil || f.Language == "markdown" {
			continue
		}
		for i := range f.Defs {
			d := &f.Defs[i]
			if d.Name != m.Name || d.Has(graph.FlagLocal) || !fits(f, int32(i), outer) {
				continue
			}
			s := graph.Symbol{File: id, Def: int32(i)}
			// Prose speaks of what a project offers before it speaks of its parts.
			if plain := d.Container == graph.NoDef && d.Owner == ""; f.Role == graph.RoleSource && (plain || len(outer) > 0) && !hidden(f.Path) {
				best = append(best, s)
			} else {
				rest = append(rest, s)
			}
		}
	}
	if len(best) == 0 {
		best = rest
	}
	return binding(best, len(outer) > 0)
}

func hidden(p graph.Path) bool {
	return strings.HasPrefix(string(p), ".") || strings.Contains(string(p), "/.")
}

func binding(symbols []graph.Symbol, qualified bool) graph.Binding {
	if len(symbols) == 0 || len(symbols) > maxCandidates {
		return graph.Binding{}
	}
	conf := float32(confName)
	if qualified {
		conf = confQualified
	}
	b := graph.Binding{Provenance: graph.Inferred, Reason: graph.ReasonUnique}
	if len(symbols) > 1 {
		b.Provenance, b.Reason = graph.Ambiguous, graph.ReasonCandidates
	}
	for _, s := range symbols {
		b.Targets = append(b.Targets, graph.Candidate{Symbol: s, Confidence: conf / float32(len(symbols))})
	}
	return b
}

// parts splits a qualifier at the separators of all languages, innermost first.
func parts(qualifier string) []string {
	fields := strings.FieldsFunc(qualifier, func(r rune) bool {
		return strings.ContainsRune(".:#/->()*", r)
	})
	for i, j := 0, len(fields)-1; i < j; i, j = i+1, j-1 {
		fields[i], fields[j] = fields[j], fields[i]
	}
	return fields
}

// fits reports whether a qualifier, innermost part first, names things around a
// definition in their order: its owner or containers, its file, its package and
// the folders. Parts may be left out, as prose does.
func fits(f *graph.Facts, def int32, outer []string) bool {
	take := func(name string) {
		if len(outer) > 0 && outer[0] == name {
			outer = outer[1:]
		}
	}
	d := &f.Defs[def]
	if d.Owner != "" {
		take(d.Owner)
	}
	for c := d.Container; c != graph.NoDef; c = f.Defs[c].Container {
		take(f.Defs[c].Name)
	}
	take(strings.TrimSuffix(f.Path.Base(), f.Path.Ext()))
	take(f.Package)
	for dir := f.Path.Dir(); dir != ""; dir = dir.Dir() {
		if base := dir.Base(); base != f.Package {
			take(base)
		}
	}
	return len(outer) == 0
}
