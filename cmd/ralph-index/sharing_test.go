package main

import (
	"os"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

func TestStatusNamesWhoSharesTheIndex(t *testing.T) {
	st := api.Status{
		Enabled: true, IndexExists: true, Generation: 2,
		LeaderPID: 41, Leading: &api.Process{PID: 41, Version: "1.2", Since: 1e9, Calls: 1},
		Followers: []api.Process{{PID: 42, Since: 1e9, Calls: 3200}, {PID: os.Getpid(), Since: 1e9}},
	}
	got := runWith(t, &fake{status: st}, "status")
	for _, want := range []string{"leader     process 41 (1.2), since ", ", 1 call\n", "follower   process 42, since ", ", 3,200 calls\n"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is not in %s", want, got.stdout)
		}
	}
	if strings.Count(got.stdout, "follower ") != 1 {
		t.Errorf("the process that asks is listed: %s", got.stdout)
	}
	got = runWith(t, &fake{status: st}, "status", "--json")
	for _, want := range []string{`"leading_process":{"pid":41,"version":"1.2","since":1000000000,"calls":1}`, `"following_processes":[{"pid":42`} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%s is not in %s", want, got.stdout)
		}
	}
}
