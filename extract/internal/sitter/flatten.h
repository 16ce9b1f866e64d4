// Prototypes of the few tree-sitter functions in use. They are weak, so that this
// package links alone; the definitions come with the grammar packages in the final
// link, and ri_missing says which did not.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define RI_WEAK extern __attribute__((weak))

typedef struct {
  uint32_t row, column;
} ri_point;

typedef struct {
  void *payload;
  const char *(*read)(void *payload, uint32_t at, ri_point point, uint32_t *len);
  int encoding; // 0 is UTF-8
} ri_input;

RI_WEAK void *ts_parser_new(void);
RI_WEAK void ts_parser_delete(void *parser);
RI_WEAK bool ts_parser_set_language(void *parser, const void *language);
RI_WEAK void ts_parser_set_timeout_micros(void *parser, uint64_t micros);
RI_WEAK void ts_parser_reset(void *parser);
RI_WEAK void *ts_parser_parse(void *parser, const void *old, ri_input input);
RI_WEAK void ts_tree_delete(void *tree);
RI_WEAK uint32_t ts_language_symbol_count(const void *language);
RI_WEAK const char *ts_language_symbol_name(const void *language, uint16_t symbol);
RI_WEAK int ts_language_symbol_type(const void *language, uint16_t symbol);
RI_WEAK uint32_t ts_language_field_count(const void *language);
RI_WEAK const char *ts_language_field_name_for_id(const void *language, uint16_t field);
RI_WEAK void tree_sitter_lua_external_scanner_deserialize(void *scanner, const char *state, unsigned length);

// One named node. The layout is shared with the Go type node.
typedef struct {
  uint32_t what;   // kind | field << 16 | flags << 24
  uint32_t start;  // bytes
  uint32_t end;
  uint32_t parent; // index, or UINT32_MAX for the root
  uint32_t after;  // index of the first node behind the subtree
} ri_flat;

enum { RI_MISSING = 1u << 24, RI_ERROR = 1u << 25 };

// What a language is to the walk: how it numbers the kinds and fields that it cares
// about, and what its grammar makes of the children of a node.
typedef struct ri_vocabulary ri_vocabulary;

// Compiles a vocabulary: kinds by symbol, fields by field id, one for each that the
// language has. NULL where there is no memory, or the library is not in the form that the
// walk knows.
ri_vocabulary *ri_vocabulary_new(const void *language, const uint16_t *kinds, const uint8_t *fields);
void ri_vocabulary_delete(ri_vocabulary *voc);

typedef struct {
  uint32_t count;       // nodes written
  uint32_t has_error;   // the tree holds an error or a missing token
  uint32_t first_error; // byte offset of the first of them
  uint32_t too_deep;    // nodes below the depth limit were left out
  uint32_t too_many;    // the walk ended at the node limit
} ri_outcome;

// The name of the first library function that is not linked, or NULL.
const char *ri_missing(void);

// The number of visible nodes of the tree, anonymous ones included.
uint32_t ri_visible(const void *tree);

// Writes the named nodes of the tree into out, which has room for cap nodes.
void ri_flatten(const void *tree, const ri_vocabulary *voc, ri_flat *out, uint32_t cap,
                uint32_t max_depth, ri_outcome *outcome);
