package c

import (
	"slices"
	"testing"
)

func TestParameterTypes(t *testing.T) {
	for sig, want := range map[string][]string{
		"int f()":     nil,
		"int f(void)": nil,
		"int f(int)":  {"int"},
		"virtual int Get(const char *key, int n = 3)":          {"const char*", "int"},
		"void g(std::map<int, long> m, void (*done)(int))":     {"std::map<int, long>", "void (*done)(int)"},
		"T<int> h(const Slice& a, unsigned int, char *argv[])": {"const Slice&", "unsigned int", "char**"},
		"x":       nil,
		"broken(": nil,
	} {
		if got := parameterTypes(sig); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", sig, got, want)
		}
	}
}
