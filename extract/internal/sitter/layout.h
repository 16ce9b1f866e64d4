// How trees and grammars lie in memory. The library shows them through a cursor only,
// which costs as much as a fifth of the parse; the walk reads them where they are. A
// grammar's part is fixed for all generated parsers of a version. The rest is private
// to the version of the library that go.mod pins: TestFlattenEqualsCursorWalk compares
// what is read with what the cursor says, for every grammar.
#include <stdbool.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the form of trees on big-endian machines is not known"
#endif

// A leaf that fits into a pointer. The first bit tells it from one.
typedef struct {
  bool is_leaf : 1;
  bool visible : 1;
  bool named : 1;
  bool extra : 1;
  bool changed : 1;
  bool missing : 1;
  bool keyword : 1;
  uint8_t symbol;
  uint16_t state;
  uint8_t padding_columns;
  uint8_t padding_rows : 4;
  uint8_t lookahead : 4;
  uint8_t padding; // bytes
  uint8_t size;    // bytes
} ri_leaf;

typedef struct {
  uint32_t bytes, row, column;
} ri_length;

// Any other part of a tree. Its children lie right before it.
typedef struct {
  uint32_t references;
  ri_length padding;
  ri_length size;
  uint32_t lookahead;
  uint32_t error_cost;
  uint32_t child_count;
  uint16_t symbol;
  uint16_t state;
  bool visible : 1;
  bool named : 1;
  bool extra : 1;
  bool fragile_left : 1;
  bool fragile_right : 1;
  bool changed : 1;
  bool external : 1;
  bool scanner_changed : 1;
  bool by_column : 1;
  bool missing : 1;
  bool keyword : 1;
  union {
    struct { // with children
      uint32_t visible_children;
      uint32_t named_children;
      uint32_t visible_descendants;
      int32_t precedence;
      uint16_t repeat_depth;
      uint16_t production;
    };
    void *scanner; // a token of the grammar's scanner; here for its alignment
  };
} ri_inner;

typedef union {
  ri_leaf leaf;
  const ri_inner *inner;
} ri_subtree;

typedef struct {
  ri_subtree root;
} ri_tree;

typedef struct {
  uint16_t field;
  uint8_t child;
  bool inherited; // it is a field of a hidden child's children
} ri_field_entry;

typedef struct {
  uint16_t index, length; // of entries
} ri_field_slice;

typedef struct {
  bool visible, named, supertype;
} ri_symbol;

typedef struct {
  uint32_t version;
  uint32_t symbol_count;
  uint32_t alias_count;
  uint32_t token_count;
  uint32_t external_token_count;
  uint32_t state_count;
  uint32_t large_state_count;
  uint32_t production_count;
  uint32_t field_count;
  uint16_t alias_stride;
  const void *parsing[4];
  const char *const *symbol_names;
  const char *const *field_names;
  const ri_field_slice *field_slices; // by production
  const ri_field_entry *field_entries;
  const ri_symbol *symbols;
  const uint16_t *public_symbols;
  const uint16_t *alias_map;
  const uint16_t *aliases; // by production, alias_stride each
} ri_language;
