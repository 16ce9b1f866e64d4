package query

import (
	"slices"
	"testing"
)

// TestConventions asks, for the layout of each runner, for the tests of a function that
// no test names: the file that is called after it comes first.
func TestConventions(t *testing.T) {
	const source, other = "func zap exported\n", "func test_other test\n"
	for _, c := range []struct{ name, source, want, not string }{
		{"pytest beside the package", "src/shop/basket.py", "tests/test_basket.py", "tests/test_order.py"},
		{"pytest in folders", "shop/writers/latex.py", "tests/test_writers/test_latex_tables.py", "tests/test_writers/test_html_tables.py"},
		{"a package's own file", "shop/basket/__init__.py", "tests/test_basket.py", "tests/test_order.py"},
		{"unittest", "shop/basket.py", "shop/tests/basket_test.py", "shop/tests/order_test.py"},
		{"go test", "shop/basket.go", "shop/basket_test.go", "shop/order_test.go"},
		{"jest", "src/basket.ts", "src/basket.test.ts", "src/order.test.ts"},
		{"jest folder", "src/basket.ts", "src/__tests__/basket.ts", "src/__tests__/order.ts"},
		{"vitest", "src/Basket.tsx", "test/Basket.spec.tsx", "test/Order.spec.tsx"},
		{"mocha", "lib/basket.js", "test/basket.add.js", "test/order.add.js"},
		{"junit", "src/main/java/shop/Basket.java", "src/test/java/shop/BasketTest.java", "src/test/java/shop/OrderTest.java"},
		{"junit of another package", "src/main/java/shop/Basket.java", "src/test/java/shop/BasketTest.java", "src/test/java/bank/BasketTest.java"},
		{"rspec", "lib/shop/basket.rb", "spec/shop/basket_spec.rb", "spec/shop/order_spec.rb"},
		{"phpunit", "src/Shop/Basket.php", "tests/Shop/BasketTest.php", "tests/Shop/OrderTest.php"},
		{"cargo", "src/basket.rs", "tests/basket.rs", "tests/order.rs"},
		{"xunit", "Shop/Basket.cs", "Shop.Tests/BasketTests.cs", "Shop.Tests/OrderTests.cs"},
	} {
		v := newToyView(c.source, source, c.not, other, c.want, other)
		a := ask(t, v, Request{Type: Tests, Target: c.source + "#zap"})
		if len(a.SuggestedTests) == 0 || string(a.SuggestedTests[0].Path) != c.want || !slices.Contains(a.SuggestedTests[0].Reasons, "name") {
			t.Errorf("%s: %s", c.name, show(a))
		}
	}
}

// TestFilesAreSeen asks with a limit that the tests of one file would fill.
func TestFilesAreSeen(t *testing.T) {
	many := "import lib zap\n"
	for _, n := range []string{"a", "b", "c", "d", "e", "f"} {
		many += "func test_" + n + " test\n  call zap\n"
	}
	v := newToyView("lib.toy", "func zap exported\n", "tests/test_many.toy", many, "tests/test_one.toy", "import lib zap\nfunc keep\n  call zap\n")
	a := ask(t, v, Request{Type: Tests, Target: "zap", Limit: 5})
	if len(a.SuggestedTests) != 5 || a.SuggestedTests[4].Path != "tests/test_one.toy" || !a.Truncated {
		t.Errorf("%s", show(a))
	}
	for i := 1; i < len(a.SuggestedTests); i++ {
		if a.SuggestedTests[i].Confidence > a.SuggestedTests[i-1].Confidence {
			t.Errorf("a later test is surer: %s", show(a))
		}
	}
}

func TestWordsOf(t *testing.T) {
	for text, want := range map[string][]string{
		"test_build_latex": {"test", "build", "latex"}, "HTTPServerTest": {"http", "server", "test"}, "app.use": {"app", "use"},
		"(*Command).ExecuteC": {"command", "execute"}, "": nil, "été_Été": {"été", "été"},
	} {
		if got := wordsOf(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
