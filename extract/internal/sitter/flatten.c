#include "flatten.h"
#include "layout.h"

#include <string.h>

#define RI_CHECK(f) \
  if (!f) return #f

const char *ri_missing(void) {
  RI_CHECK(ts_parser_new);
  RI_CHECK(ts_parser_delete);
  RI_CHECK(ts_parser_set_language);
  RI_CHECK(ts_parser_set_timeout_micros);
  RI_CHECK(ts_parser_reset);
  RI_CHECK(ts_parser_parse);
  RI_CHECK(ts_tree_delete);
  RI_CHECK(ts_language_symbol_count);
  RI_CHECK(ts_language_symbol_name);
  RI_CHECK(ts_language_symbol_type);
  RI_CHECK(ts_language_field_count);
  RI_CHECK(ts_language_field_name_for_id);
  return NULL;
}

enum { RI_ERROR_SYMBOL = UINT16_MAX };
static const uint32_t ri_none = UINT32_MAX;

// What a production says of one of its children.
typedef struct {
  uint16_t alias; // the symbol that it stands as; 0 is its own
  uint16_t field; // id; 0 is none
} ri_role;

struct ri_vocabulary {
  const ri_symbol *symbols; // of the grammar
  uint16_t *kinds;          // by symbol as it stands in trees
  uint8_t *fields;          // by field id
  uint32_t stride;          // children that productions say something of; extras are not counted
  ri_role *roles;           // by production, stride each
};

static inline ri_role *ri_production(const ri_vocabulary *voc, uint32_t production) {
  return voc->roles + (size_t)production * voc->stride;
}

static uint32_t ri_stride(const ri_language *l) {
  uint32_t most = l->alias_stride;
  for (uint32_t p = 0; l->field_count > 0 && p < l->production_count; p++) {
    const ri_field_entry *e = l->field_entries + l->field_slices[p].index;
    for (const ri_field_entry *end = e + l->field_slices[p].length; e < end; e++)
      if (e->child >= most) most = e->child + 1u;
  }
  return most;
}

static void ri_assign_roles(ri_vocabulary *voc, const ri_language *l) {
  for (uint32_t p = 0; p < l->production_count; p++) {
    ri_role *roles = ri_production(voc, p);
    if (p > 0) // the first production has no aliases
      for (uint32_t i = 0; i < l->alias_stride; i++) roles[i].alias = l->aliases[p * l->alias_stride + i];
    if (l->field_count == 0) continue;
    const ri_field_entry *e = l->field_entries + l->field_slices[p].index;
    for (const ri_field_entry *end = e + l->field_slices[p].length; e < end; e++)
      if (!e->inherited && !roles[e->child].field) roles[e->child].field = e->field;
  }
}

ri_vocabulary *ri_vocabulary_new(const void *language, const uint16_t *kinds, const uint8_t *fields) {
  const ri_language *l = language;
  uint32_t symbols = l->symbol_count + l->alias_count;
  if (ts_language_symbol_count(l) != symbols || ts_language_field_count(l) != l->field_count) return NULL;
  ri_vocabulary *voc = calloc(1, sizeof *voc);
  if (!voc) return NULL;
  voc->symbols = l->symbols;
  voc->stride = ri_stride(l);
  voc->kinds = calloc(symbols, sizeof *voc->kinds);
  voc->fields = calloc(l->field_count + 1, sizeof *voc->fields);
  voc->roles = calloc((size_t)l->production_count * voc->stride + 1, sizeof *voc->roles);
  if (!voc->kinds || !voc->fields || !voc->roles) {
    ri_vocabulary_delete(voc);
    return NULL;
  }
  for (uint32_t s = 0; s < symbols; s++) voc->kinds[s] = kinds[l->public_symbols[s]];
  memcpy(voc->fields, fields, l->field_count + 1);
  ri_assign_roles(voc, l);
  return voc;
}

void ri_vocabulary_delete(ri_vocabulary *voc) {
  if (!voc) return;
  free(voc->kinds);
  free(voc->fields);
  free(voc->roles);
  free(voc);
}

// What a walk needs to know of a leaf or an inner part.
typedef struct {
  uint32_t padding, size; // bytes
  uint32_t children;
  uint16_t symbol;
  bool visible, named, extra, missing;
} ri_part;

static inline ri_part ri_look(ri_subtree s) {
  if (s.leaf.is_leaf)
    return (ri_part){s.leaf.padding, s.leaf.size, 0, s.leaf.symbol, s.leaf.visible, s.leaf.named, s.leaf.extra, s.leaf.missing};
  const ri_inner *in = s.inner;
  return (ri_part){in->padding.bytes, in->size.bytes, in->child_count, in->symbol, in->visible, in->named, in->extra, in->missing};
}

// A part whose children are being walked.
typedef struct {
  const ri_subtree *next, *end;
  const ri_role *roles;
  uint32_t role;   // of the next child that is not extra
  uint32_t at;     // byte offset of the next child with what stands before it
  uint32_t me;     // index of its node, or ri_none
  uint32_t parent; // index of the innermost node around its children, or ri_none
  uint32_t depth;  // of its children
  uint16_t field;  // that its children have where their production says nothing; of hidden parts
} ri_open;

typedef struct {
  const ri_vocabulary *voc;
  ri_flat *out;
  uint32_t cap, max_depth;
  ri_outcome o;
  ri_open *open; // from the root to the place of the walk
  uint32_t len, room;
} ri_walk;

// Opens a part that has children and begins at start.
static inline bool ri_enter(ri_walk *w, ri_subtree s, uint32_t start, ri_open frame) {
  if (w->len == w->room) {
    uint32_t room = w->room ? 2 * w->room : 64;
    ri_open *open = realloc(w->open, room * sizeof *open);
    if (!open) return false;
    w->open = open, w->room = room;
  }
  frame.end = (const ri_subtree *)s.inner;
  frame.next = frame.end - s.inner->child_count;
  frame.roles = ri_production(w->voc, s.inner->production);
  frame.role = 0;
  frame.at = start - ri_look(*frame.next).padding;
  w->open[w->len++] = frame;
  return true;
}

// Writes a visible part, and opens it where it has children. False ends the walk.
static inline bool ri_visit(ri_walk *w, ri_subtree s, ri_part part, uint32_t start, ri_role role, uint32_t parent, uint32_t depth) {
  uint16_t symbol = role.alias ? role.alias : part.symbol;
  bool error = symbol == RI_ERROR_SYMBOL;
  if ((error || part.missing) && w->o.first_error == ri_none) w->o.first_error = start;
  uint32_t me = ri_none;
  if (role.alias ? w->voc->symbols[role.alias].named : part.named) {
    if (w->o.count == w->cap) {
      w->o.too_many = 1;
      return false;
    }
    uint32_t what = error ? RI_ERROR : w->voc->kinds[symbol];
    if (part.missing) what |= RI_MISSING;
    what |= (uint32_t)w->voc->fields[role.field] << 16;
    me = w->o.count++;
    w->out[me] = (ri_flat){what, start, start + part.size, parent, w->o.count};
    parent = me;
  }
  if (part.children == 0) return true;
  if (depth == w->max_depth) {
    if (s.inner->visible_descendants > 0) w->o.too_deep = 1;
    return true;
  }
  return ri_enter(w, s, start, (ri_open){.me = me, .parent = parent, .depth = depth + 1});
}

// Closes the innermost open part.
static void ri_leave(ri_walk *w) {
  uint32_t me = w->open[--w->len].me;
  if (me != ri_none) w->out[me].after = w->o.count;
}

// Takes the next child of the innermost open part. False ends the walk.
static inline bool ri_step(ri_walk *w) {
  ri_open *f = &w->open[w->len - 1];
  ri_subtree s = *f->next++;
  ri_part part = ri_look(s);
  uint32_t start = f->at + part.padding;
  f->at = start + part.size;
  ri_role role = {0, 0};
  if (!part.extra) {
    if (f->role < w->voc->stride) role = f->roles[f->role];
    f->role++;
    if (!role.field) role.field = f->field;
  }
  if (part.visible || role.alias) return ri_visit(w, s, part, start, role, f->parent, f->depth);
  if (part.children == 0 || s.inner->visible_children == 0) return true;
  return ri_enter(w, s, start, (ri_open){.me = ri_none, .parent = f->parent, .depth = f->depth, .field = role.field});
}

static ri_subtree ri_root(const void *tree) { return ((const ri_tree *)tree)->root; }

uint32_t ri_visible(const void *tree) {
  ri_subtree root = ri_root(tree);
  return ri_look(root).children ? root.inner->visible_descendants + 1 : 1;
}

void ri_flatten(const void *tree, const ri_vocabulary *voc, ri_flat *out, uint32_t cap,
                uint32_t max_depth, ri_outcome *outcome) {
  ri_walk w = {.voc = voc, .out = out, .cap = cap, .max_depth = max_depth, .o = {.first_error = ri_none}};
  ri_subtree root = ri_root(tree);
  ri_part part = ri_look(root);
  bool more = ri_visit(&w, root, part, part.padding, (ri_role){0, 0}, ri_none, 0);
  while (more && w.len > 0) {
    if (w.open[w.len - 1].next == w.open[w.len - 1].end)
      ri_leave(&w);
    else
      more = ri_step(&w);
  }
  if (w.len > 0) w.o.too_many = 1; // the limit, or no memory
  while (w.len > 0) ri_leave(&w);
  free(w.open);
  w.o.has_error = part.missing || (!root.leaf.is_leaf && root.inner->error_cost > 0);
  *outcome = w.o;
}
