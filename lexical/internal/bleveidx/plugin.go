package bleveidx

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// plugin makes new segments of Docs, in zap's format. Zap's own way of making them has
// room for frequencies, positions and stored values, and looks each word of each
// document up four times; that was an eighth of a first index. All else is zap's.
type plugin struct{ zap.ZapPlugin }

// register makes scorch use plugin, also for segments that are there. The caller holds
// globals.
func register() { scorch.RegisterSegmentPlugin(&plugin{}, true) }

// New makes a segment of Docs.
func (p *plugin) New(docs []index.Document) (segment.Segment, uint64, error) {
	return p.NewUsing(docs, nil)
}

// NewUsing makes a segment of Docs, which it sorts by their ids: scorch hands them over
// in any order.
func (*plugin) NewUsing(docs []index.Document, config map[string]any) (segment.Segment, uint64, error) {
	list := make([]*Doc, len(docs))
	for i, d := range docs {
		own, ok := d.(*Doc)
		if !ok {
			return nil, 0, fmt.Errorf("make segment: document of type %T", d)
		}
		list[i] = own
	}
	slices.SortFunc(list, func(a, b *Doc) int { return cmp.Compare(a.id, b.id) })
	stats, ok := config[segment.StatsKey].(*segment.Stats)
	if !ok || stats == nil {
		stats = new(segment.Stats)
	}
	m, err := build(list)
	if err != nil {
		return nil, 0, fmt.Errorf("make segment: %w", err)
	}
	sb, err := zap.InitSegmentBase(m.buf, m.crc(), zap.DefaultChunkMode, uint64(len(list)), m.stored, m.fields, config, stats)
	if err != nil {
		return nil, 0, fmt.Errorf("make segment: %w", err)
	}
	return sb, uint64(len(m.buf)), nil
}
