package typescript_test

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ralph-index/ralph-index/graph/resolve/resolvetest"
	"github.com/ralph-index/ralph-index/graph/resolve/typescript"
)

var suite = resolvetest.Suite{
	Mark:     "//> ",
	Resolver: resolvetest.One(typescript.New()),
}

// TestBindings checks the claims that stand in the sources of testdata.
func TestBindings(t *testing.T) { suite.Run(t, "testdata/*.txtar") }

const hierarchy = `
-- src/shape.ts --
export interface Shape { area(): number; }
export abstract class Base implements Shape { abstract area(): number; }
export default class Square extends Base { constructor(side: number) { super(); } area() { return 1; } }
export { Base as Figure };
-- src/round.ts --
import { Figure } from './shape';
import type { Shape as S } from './shape';
export class Circle extends Figure { area() { return 3; } static area2() {} }
class Dot implements S { area() { return 0; } }
-- src/index.ts --
export { Base as Abstract } from './shape';
-- src/whole.js --
function run() {}
module.exports = run;
`

func TestDispatch(t *testing.T) {
	v := resolvetest.View(t, txtar.Parse([]byte(hierarchy)))
	for name, want := range map[string]string{
		"src/shape.Shape.area":         "src/round.Circle.area | src/round.Dot.area | src/shape.Base.area | src/shape.Square.area",
		"src/shape.Base.area":          "src/round.Circle.area | src/shape.Square.area",
		"src/shape.Square.area":        "nothing",
		"src/round.Circle.area2":       "nothing",
		"src/shape.Square":             "nothing",
		"src/shape.Square.constructor": "nothing",
	} {
		b := typescript.New().Dispatch(v, suite.Find(t, v, name))
		if got := suite.Targets(v, b); got != want {
			t.Errorf("dispatch of %s: %s, want %s", name, got, want)
		}
		if len(b.Targets) > 0 && !b.Dynamic {
			t.Errorf("dispatch of %s is not dynamic", name)
		}
	}
}

func TestNames(t *testing.T) {
	v := resolvetest.View(t, txtar.Parse([]byte(hierarchy)))
	for name, want := range map[string][]string{
		"src/shape.Base":               {"Base", "super", "Figure", "Abstract"},
		"src/shape.Square":             {"Square", "super", "default"},
		"src/shape.Square.constructor": {"constructor", "Square", "super", "default"},
		"src/shape.Shape":              {"Shape", "S"},
		"src/shape.Base.area":          {"area"},
		"src/shape":                    {"shape", "shape.ts", "shape.js", "shape.mjs", "shape.cjs", "shape.jsx"},
		"src/whole.run":                {"run", "default", "require"},
		"src":                          {"index", "index.ts", "index.js", "index.mjs", "index.cjs", "index.jsx", "src"},
	} {
		if got := typescript.New().Names(v, suite.Find(t, v, name)); !slices.Equal(got, want) {
			t.Errorf("names of %s: %v, want %v", name, got, want)
		}
	}
}

// Where too many files name what derives from a type, its overrides are found among
// those that define the name, whatever the order of the files.
func TestDispatchBelowManyTypes(t *testing.T) {
	files := []txtar.File{
		{Name: "a.ts", Data: []byte("class A { m() {} }\nexport class B extends A {}\n")},
		{Name: "x.ts", Data: []byte("import { B } from './a';\nexport class X extends B { m() {} }\n")},
		{Name: "y.ts", Data: []byte("export function m() {}\n")},
	}
	for i := range 600 {
		files = append(files, txtar.File{Name: fmt.Sprintf("n%d.ts", i), Data: []byte("import { B } from './a';\nnew B();\n")})
	}
	for range 2 {
		v := resolvetest.View(t, &txtar.Archive{Files: files})
		b := typescript.New().Dispatch(v, suite.Find(t, v, "a.A.m"))
		if got := suite.Targets(v, b); got != "x.X.m" {
			t.Errorf("dispatch of a.A.m: %s, want x.X.m", got)
		}
		slices.Reverse(files)
	}
}
