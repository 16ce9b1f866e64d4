package golang

import (
	"go/build/constraint"
	"runtime"
	"sort"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// variants drops definitions that cannot be built together with the file of the
// reference and puts those that build on this machine first.
func (b *binder) variants(syms []sym) []sym {
	os, arch := platform(b.f.Path)
	kept := syms[:0:0]
	for _, s := range syms {
		o, a := platform(s.f.Path)
		if os != "" && o != "" && os != o || arch != "" && a != "" && arch != a {
			continue
		}
		if (os != "" || arch != "") && !builds(s.f, os, arch) {
			continue
		}
		kept = append(kept, s)
	}
	if len(kept) == 0 {
		kept = syms
	}
	sort.SliceStable(kept, func(i, j int) bool {
		return builds(kept[i].f, "", "") && !builds(kept[j].f, "", "")
	})
	return kept
}

// builds reports whether a file is part of a build for the platform, this machine's
// where it is "".
func builds(f *graph.Facts, os, arch string) bool {
	if os == "" {
		os = runtime.GOOS
	}
	if arch == "" {
		arch = runtime.GOARCH
	}
	if o, a := platform(f.Path); o != "" && o != os || a != "" && a != arch {
		return false
	}
	if f.Constraint == "" {
		return true
	}
	line := "//go:build " + f.Constraint
	if strings.HasPrefix(f.Constraint, "+build") {
		line = "// " + f.Constraint
	}
	expr, err := constraint.Parse(line)
	if err != nil {
		return true
	}
	return expr.Eval(func(tag string) bool {
		switch tag {
		case os, arch, "gc", "cgo":
			return true
		case "unix":
			return os != "windows" && os != "plan9" && os != "js" && os != "wasip1"
		}
		return strings.HasPrefix(tag, "go1.")
	})
}

// platform reads GOOS and GOARCH off a file name.
func platform(p graph.Path) (os, arch string) {
	name := strings.TrimSuffix(strings.TrimSuffix(p.Base(), ".go"), "_test")
	parts := strings.Split(name, "_")
	n := len(parts)
	if n > 1 && knownArch(parts[n-1]) {
		arch = parts[n-1]
		n--
	}
	if n > 1 && knownOS(parts[n-1]) {
		os = parts[n-1]
	}
	return os, arch
}

func knownOS(s string) bool {
	switch s {
	case "aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
		"openbsd", "plan9", "solaris", "wasip1", "windows", "zos":
		return true
	}
	return false
}

func knownArch(s string) bool {
	switch s {
	case "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le",
		"riscv64", "s390x", "wasm", "sparc64", "riscv", "ppc", "amd64p32":
		return true
	}
	return false
}
