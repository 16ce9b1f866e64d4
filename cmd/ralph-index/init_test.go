package main

import "testing"

func TestAddition(t *testing.T) {
	for old, want := range map[string]string{
		"":           ".agent/\n",
		"a\n":        ".agent/\n",
		"a":          "\n.agent/\n",
		"a\r\nb":     "\r\n.agent/\r\n",
		"a\r\nb\r\n": ".agent/\r\n",
	} {
		if got := string(addition([]byte(old), ".agent/")); got != want {
			t.Errorf("to %q comes %q, want %q", old, got, want)
		}
	}
}
