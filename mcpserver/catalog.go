package mcpserver

import (
	_ "embed"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
	"github.com/ralph-index/ralph-index/mcpserver/tools/explore"
	"github.com/ralph-index/ralph-index/mcpserver/tools/filelist"
	"github.com/ralph-index/ralph-index/mcpserver/tools/fileread"
	"github.com/ralph-index/ralph-index/mcpserver/tools/filesearch"
	"github.com/ralph-index/ralph-index/mcpserver/tools/filewrite"
)

//go:embed instructions.md
var instructions string

// Catalog returns every tool, in the order in which documentation lists them.
func Catalog(svc api.Service) ([]tool.Tool, error) {
	constructors := []func(api.Service) (tool.Tool, error){
		fileread.ReadFile,
		fileread.ReadMultipleFiles,
		fileread.StatPath,
		fileread.ListAllowedRoots,
		filelist.ListDirectory,
		filelist.ListDirectoryRecursive,
		filelist.DirectoryTree,
		filesearch.SearchFiles,
		filesearch.GrepFiles,
		filewrite.WriteFile,
		filewrite.EditFile,
		filewrite.AppendFile,
		filewrite.CreateDirectory,
		filewrite.MoveFile,
		filewrite.CopyFile,
		filewrite.DeletePath,
		explore.IndexStatus,
		explore.Reindex,
		explore.Graph,
	}
	tools := make([]tool.Tool, 0, len(constructors))
	for _, construct := range constructors {
		t, err := construct(svc)
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	return tools, nil
}
