// Package filewrite holds the tools that change files: write_file, edit_file, append_file,
// create_directory, move_file, copy_file and delete_path. A tool takes typed
// arguments, calls the service once, and shapes the answer.
package filewrite

import (
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

const (
	maxPath     = 4096
	maxContent  = 4 << 20 // characters
	writeBudget = 30 * time.Second
	treeBudget  = 50 * time.Second // of what may concern a whole directory
)

func pathArg(name, doc string, aliases ...string) tool.Arg {
	return tool.Arg{Name: name, Type: tool.String, Required: true, MaxLen: maxPath, Aliases: aliases, Doc: doc}
}

func fileArg() tool.Arg {
	return pathArg("path", "File, relative to the workspace or absolute inside it.", "file", "file_path", "filename")
}

func contentArg(doc string) tool.Arg {
	return tool.Arg{Name: "content", Type: tool.String, Required: true, MaxLen: maxContent, Aliases: []string{"text", "contents"}, Doc: doc}
}

func flagArg(name, doc string) tool.Arg {
	return tool.Arg{Name: name, Type: tool.Boolean, Default: false, Doc: doc}
}

// freshness is how the index stands to a change. It stands beside the other fields,
// and is absent when the index is disabled.
type freshness struct {
	api.Freshness
	ChangedPaths []string `json:"changed_paths"`
}

func freshnessOf(ans *api.MutateAnswer) *freshness {
	if ans.Freshness == nil {
		return nil
	}
	paths := ans.ChangedPaths
	if paths == nil {
		paths = []string{}
	}
	return &freshness{*ans.Freshness, paths}
}
