package main

import (
	"fmt"
	"os"
	"regexp"
	"testing"
)

// The README's table lists the codes that there are.
func TestReadmeNamesExitCodes(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| ([0-9]+) \|`).FindAllSubmatch(text, -1)
	var got, want []string
	for _, r := range rows {
		got = append(got, string(r[1]))
	}
	for _, c := range exitCodes() {
		want = append(want, fmt.Sprint(c.code))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("README lists %v, the program has %v", got, want)
	}
}
