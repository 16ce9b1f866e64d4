#include "flatten.h"

#define RI_CHECK(f) \
  if (!f) return #f

const char *ri_missing(void) {
  RI_CHECK(ts_parser_new);
  RI_CHECK(ts_parser_delete);
  RI_CHECK(ts_parser_set_language);
  RI_CHECK(ts_parser_set_timeout_micros);
  RI_CHECK(ts_parser_reset);
  RI_CHECK(ts_parser_parse_string);
  RI_CHECK(ts_tree_delete);
  RI_CHECK(ts_tree_root_node);
  RI_CHECK(ts_node_symbol);
  RI_CHECK(ts_node_start_byte);
  RI_CHECK(ts_node_end_byte);
  RI_CHECK(ts_node_is_named);
  RI_CHECK(ts_node_is_missing);
  RI_CHECK(ts_node_is_error);
  RI_CHECK(ts_node_has_error);
  RI_CHECK(ts_node_descendant_count);
  RI_CHECK(ts_tree_cursor_new);
  RI_CHECK(ts_tree_cursor_delete);
  RI_CHECK(ts_tree_cursor_current_node);
  RI_CHECK(ts_tree_cursor_current_field_id);
  RI_CHECK(ts_tree_cursor_goto_parent);
  RI_CHECK(ts_tree_cursor_goto_next_sibling);
  RI_CHECK(ts_tree_cursor_goto_first_child);
  RI_CHECK(ts_language_symbol_count);
  RI_CHECK(ts_language_symbol_name);
  RI_CHECK(ts_language_symbol_type);
  RI_CHECK(ts_language_field_count);
  RI_CHECK(ts_language_field_name_for_id);
  return NULL;
}

// The open nodes from the root to the cursor: for each level the index of its
// named node, or UINT32_MAX for an anonymous one.
typedef struct {
  uint32_t *items;
  uint32_t len;
} ri_stack;

static void ri_close(const ri_stack *open, ri_flat *out, uint32_t count) {
  uint32_t top = open->items[open->len];
  if (top != UINT32_MAX) out[top].after = count;
}

void ri_flatten(const void *tree, const ri_vocabulary *voc, ri_flat *out, uint32_t cap,
                uint32_t max_depth, ri_outcome *outcome) {
  ri_node root = ts_tree_root_node(tree);
  ri_outcome o = {0, ts_node_has_error(root), UINT32_MAX, 0, 0};
  ri_stack open = {malloc((max_depth + 1) * sizeof(uint32_t)), 0};
  if (!open.items) {
    o.too_many = 1;
    *outcome = o;
    return;
  }
  ri_cursor cursor = ts_tree_cursor_new(root);
  uint32_t parent = UINT32_MAX; // index of the innermost named node above the cursor
  for (;;) {
    ri_node nd = ts_tree_cursor_current_node(&cursor);
    uint32_t me = UINT32_MAX;
    bool missing = false;
    if (o.has_error && ts_node_has_error(nd)) {
      missing = ts_node_is_missing(nd);
      if ((missing || ts_node_is_error(nd)) && o.first_error == UINT32_MAX)
        o.first_error = ts_node_start_byte(nd);
    }
    if (ts_node_is_named(nd)) {
      if (o.count == cap) {
        o.too_many = 1;
        break;
      }
      uint16_t symbol = ts_node_symbol(nd);
      uint16_t field = ts_tree_cursor_current_field_id(&cursor);
      me = o.count++;
      ri_flat *f = &out[me];
      f->what = symbol < voc->kind_count ? voc->kinds[symbol] : 0;
      if (field < voc->field_count) f->what |= (uint32_t)voc->fields[field] << 16;
      if (missing) f->what |= RI_MISSING;
      if (symbol == UINT16_MAX) f->what |= RI_ERROR;
      f->start = ts_node_start_byte(nd);
      f->end = ts_node_end_byte(nd);
      f->parent = parent;
      f->after = o.count;
    }
    open.items[open.len] = me;
    if (open.len < max_depth) {
      if (ts_tree_cursor_goto_first_child(&cursor)) {
        open.len++;
        if (me != UINT32_MAX) parent = me;
        continue;
      }
    } else if (ts_node_descendant_count(nd) > 1) {
      o.too_deep = 1;
    }
    while (ri_close(&open, out, o.count), open.len > 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      ts_tree_cursor_goto_parent(&cursor);
      open.len--;
      if (open.items[open.len] != UINT32_MAX) parent = out[open.items[open.len]].parent;
    }
    if (open.len == 0) break;
  }
  while (open.len > 0) { // the walk was cut: close what is still open
    open.len--;
    ri_close(&open, out, o.count);
  }
  ts_tree_cursor_delete(&cursor);
  free(open.items);
  *outcome = o;
}
