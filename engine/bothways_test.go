package engine

import (
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/query"
)

// What a file imports is imported by it: seen from the other end, too, whatever the
// languages of the two.
func TestImportsAreSeenFromBothEnds(t *testing.T) {
	s := openSpace(t, map[string]string{
		"web/Card.svelte":    "<script>import Badge from './Badge.svelte'; import d from './d.json'</script>\n<Badge/>",
		"web/Badge.svelte":   "<h1>x</h1>",
		"web/d.json":         "{\"a\": 1}",
		"web/app.tsx":        "import styles from './app.module.css'\nexport const x = styles\n",
		"web/app.module.css": ".a { color: red }",
		"web/site.css":       "@import \"base.css\";\n@import url('./more.css');\n",
		"web/base.css":       ".b {}",
		"web/more.css":       ".c {}",
		"tf/main.tf":         "module \"v\" {\n  source = \"./m\"\n}\n",
		"tf/m/vars.tf":       "variable \"x\" {}\n",
		"Makefile":           "include rules.mk\nall:\n",
		"rules.mk":           "CC = gcc\n",
		"bin/run.sh":         ". lib.sh\n",
		"bin/lib.sh":         "f() { :; }\n",
		"p/a.proto":          "syntax = \"proto3\";\nimport \"b.proto\";\n",
		"p/b.proto":          "syntax = \"proto3\";\nmessage B {}\n",
		"l/main.lua":         "local m = require(\"mod.sub\")\n",
		"l/mod/sub.lua":      "return {}\n",
	})
	s.reindex(api.ReindexChanged)
	ask := func(file string, dir query.Direction) *api.GraphAnswer {
		return s.graph(query.Request{
			Type: query.Neighbors, Target: file, Direction: dir, Relations: []graph.Relation{graph.Imports}, Limit: query.MaxLimit,
		}, api.PreferFresh)
	}
	for from, to := range map[string]string{
		"web/Card.svelte": "web/Badge.svelte", "web/app.tsx": "web/app.module.css", "web/site.css": "web/base.css",
		"tf/main.tf": "tf/m/vars.tf", "Makefile": "rules.mk", "bin/run.sh": "bin/lib.sh", "p/a.proto": "p/b.proto", "l/main.lua": "l/mod/sub.lua",
	} {
		target := from
		if from == "tf/main.tf" {
			target = "module.v" // what imports the directory is the block
		}
		out := ask(target, query.Out)
		if len(out.Edges) == 0 {
			t.Errorf("%s imports nothing", from)
			continue
		}
		in := ask(to, query.In)
		found := false
		for _, ed := range in.Edges {
			found = found || string(ed.Path) == from && ed.Relation == graph.Imports
		}
		if !found {
			t.Errorf("%s imports %s, which nobody imports: %+v", from, to, in.Edges)
		}
	}
}
