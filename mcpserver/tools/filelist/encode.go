package filelist

import (
	"strconv"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// AppendJSON implements tool.Appender: trees of large workspaces have tens of thousands
// of nodes, and encoding them by reflection would take half as long as reading them.
func (o bareOut) AppendJSON(b []byte) ([]byte, error) {
	b, err := appendNode(b, o.Node)
	if err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"truncated", o.Truncated}, {"deadline_exceeded", o.Deadline}, {"cancelled", o.Cancelled}} {
		if f.set {
			b = append(b[:len(b)-1], `,"`+f.name+`":true}`...)
		}
	}
	return b, nil
}

// appendNode writes a node as its JSON tags have it.
func appendNode(b []byte, n *api.Node) ([]byte, error) {
	b = tool.AppendText(append(b, `{"name":`...), n.Name)
	b = tool.AppendText(append(b, `,"type":`...), string(n.Type))
	b = tool.AppendText(append(b, `,"path":`...), n.Path)
	if n.Link {
		b = append(b, `,"link":true`...)
	}
	if n.Counts != nil || n.Symbols != nil || n.SymbolsOmitted != 0 {
		rest, err := tool.MarshalJSON(struct {
			Counts         *api.Counts        `json:"counts,omitempty"`
			Symbols        []api.ListedSymbol `json:"symbols,omitempty"`
			SymbolsOmitted int                `json:"symbols_omitted,omitempty"`
		}{n.Counts, n.Symbols, n.SymbolsOmitted})
		if err != nil {
			return nil, err
		}
		if len(rest) > 2 {
			b = append(append(b, ','), rest[1:len(rest)-1]...)
		}
	}
	if n.Children != nil {
		b = append(b, `,"children":[`...)
		for i := range n.Children {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendNode(b, &n.Children[i]); err != nil {
				return nil, err
			}
		}
		b = append(b, ']')
	}
	if n.ChildrenOmitted != 0 {
		b = strconv.AppendInt(append(b, `,"children_omitted":`...), int64(n.ChildrenOmitted), 10)
	}
	return append(b, '}'), nil
}
