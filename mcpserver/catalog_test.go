package mcpserver

import (
	"encoding/json"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/mcpserver/session"
	"github.com/ralph-index/ralph-index/mcpserver/tool/tooltest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestCatalog(t *testing.T) {
	tools, err := Catalog(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("tool | capability | drains | read-only destructive idempotent open-world | budget\n")
	for _, tl := range tools {
		s := tl.Spec()
		drains := "all"
		if granted := session.Granting(s.Capability); len(granted) != len(session.Drains()) {
			drains = fmt.Sprint(granted)
		}
		a := s.Annotations
		fmt.Fprintf(&b, "%s | %s | %s | %t %t %t %t | %v, at most %v\n", s.Name, s.Capability, drains,
			a.ReadOnly, a.Destructive, a.Idempotent, a.OpenWorld, s.Budget.Default, s.Budget.Max)
	}
	tooltest.Golden(t, "testdata/catalog.txt", b.String(), *update)
}

// tokenBudget is what all definitions together may cost, at four bytes a token, and
// docBudget what the description of one tool that works on files may.
const (
	tokenBudget = 6400
	docBudget   = 130
)

func TestDefinitionsAreSmall(t *testing.T) {
	tools, err := Catalog(nil)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, tl := range tools {
		s := tl.Spec()
		n := len(s.Name) + len(s.Description) + len(tl.Schema())
		t.Logf("%-20s %5d tokens, of which description %d", s.Name, n/4, len(s.Description)/4)
		if strings.HasPrefix(string(s.Capability), "workspace.") && !strings.HasPrefix(s.Name, "ralph_") && len(s.Description)/4 > docBudget {
			t.Errorf("the description of %s costs %d tokens, more than %d", s.Name, len(s.Description)/4, docBudget)
		}
		total += n
	}
	t.Logf("%-20s %5d tokens", "all", total/4)
	if total/4 > tokenBudget {
		t.Errorf("the definitions cost %d tokens, more than %d", total/4, tokenBudget)
	}
	if n := len([]rune(instructions)); n > 1500 {
		t.Errorf("the instructions have %d characters; clients cut at 2048", n)
	}
}

// plainItems checks the items of an array: strings, or objects of plain properties.
func plainItems(t *testing.T, where string, items map[string]any) {
	t.Helper()
	fields, _ := items["properties"].(map[string]any)
	switch {
	case items["type"] == "string" && fields == nil:
	case items["type"] == "object" && len(fields) > 0 && len(items) == 2:
		for f, s := range fields {
			typ, _ := s.(map[string]any)["type"].(string)
			if !strings.Contains(" string integer boolean ", " "+typ+" ") {
				t.Errorf("%s: field %s is of type %q", where, f, typ)
			}
		}
	default:
		t.Errorf("%s: items are %v", where, items)
	}
}

// TestSchemasArePlain checks the subset that every provider takes.
func TestSchemasArePlain(t *testing.T) {
	tools, err := Catalog(nil)
	if err != nil {
		t.Fatal(err)
	}
	property := regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
	for _, tl := range tools {
		name := tl.Spec().Name
		var root struct {
			Type       string                    `json:"type"`
			Properties map[string]map[string]any `json:"properties"`
			Required   []string                  `json:"required"`
			Additional *bool                     `json:"additionalProperties"`
		}
		dec := json.NewDecoder(strings.NewReader(string(tl.Schema())))
		dec.DisallowUnknownFields() // no $ref, no unions at the root
		if err := dec.Decode(&root); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if root.Type != "object" || root.Additional == nil || *root.Additional || root.Properties == nil {
			t.Errorf("%s: the root is not a closed object", name)
		}
		for p, s := range root.Properties {
			if !property.MatchString(p) {
				t.Errorf("%s: property name %q", name, p)
			}
			if _, ok := s["type"].(string); !ok {
				t.Errorf("%s.%s: type is %v", name, p, s["type"])
			}
			switch s["type"] {
			case "array":
				plainItems(t, name+"."+p, s["items"].(map[string]any))
			case "object":
				plainItems(t, name+"."+p, map[string]any{"type": "object", "properties": s["properties"]})
			}
			for k := range s {
				if !strings.Contains(" type description enum items minimum maximum maxLength maxItems default properties ", " "+k+" ") {
					t.Errorf("%s.%s: keyword %s", name, p, k)
				}
			}
		}
	}
}
