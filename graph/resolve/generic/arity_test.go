package generic

import "testing"

func TestParameters(t *testing.T) {
	for _, test := range []struct {
		signature, name string
		least, most     int
		ok              bool
	}{
		{"public static T DeserializeObject<T>(string value)", "DeserializeObject", 1, 1, true},
		{"public static T DeserializeObject<T>(string value, params JsonConverter[] converters)", "DeserializeObject", 1, anyNumber, true},
		{"public void F(int a, string b = \"x,(y\", [CallerMemberName] string c = null)", "F", 1, 3, true},
		{"public static bool All<T>(this IEnumerable<T> source, Func<T, bool> predicate)", "All", 1, 2, true},
		{"suspend fun delay(time: Long, unit: TimeUnit)", "delay", 2, 2, true},
		{"fun <T> run(block: suspend (a: Int, b: Int) -> T, x: Map<String, List<Int>> = mapOf(1, 2))", "run", 1, 2, true},
		{"fun printAll(vararg items: Any)", "printAll", 0, anyNumber, true},
		{"func f(_ a: Int..., b: (Int, Int) -> Void = { _, _ in })", "f", 0, anyNumber, true},
		{"fun f()", "f", 0, 0, true},
		{"fun f(a: Int, b: Stri", "f", 0, 0, false},
		{"val f: Int", "f", 0, 0, false},
		{"", "f", 0, 0, false},
	} {
		least, most, ok := parameters(test.signature, test.name, "")
		if ok != test.ok || ok && (least != test.least || most != test.most) {
			t.Errorf("%s: %d to %d, %v", test.signature, least, most, ok)
		}
	}
}
