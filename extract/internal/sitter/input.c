#include "input.h"

#include "flatten.h"
#include <time.h>

// The library looks at its clock between steps of the parser, and one step may lex for
// minutes: behind an error it tries each byte anew, and a scanner that looks for the end
// of a string may read the rest of the text each time. So the text comes in chunks, and
// what comes after the time is its end: of the line first, for some scanners know no
// other end of a remark. Most files are one chunk.
enum { RI_CHUNK = 32 << 10 };

typedef struct {
  const char *text;
  uint32_t len;
  uint32_t from, to; // the chunk given last
  uint64_t deadline; // of the monotonic clock, in microseconds
  bool late;
  uint32_t ended; // where the text ended last
} ri_text;

static uint64_t ri_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static const char *ri_read(void *payload, uint32_t at, ri_point point, uint32_t *len) {
  (void)point;
  ri_text *t = payload;
  if (at >= t->len) {
    *len = 0;
    return "";
  }
  // Within the chunk it has, the lexer asks again for a letter that it could not decode,
  // and must get one.
  bool again = at >= t->from && at < t->to;
  t->late = t->late || (!again && ri_now() > t->deadline);
  if (t->late && !again) {
    *len = at != t->ended + 1;
    t->ended = at;
    return "\n";
  }
  if (!again) {
    t->from = at;
    t->to = t->len - at > RI_CHUNK ? at + RI_CHUNK : t->len;
  }
  *len = t->to - at;
  if (again && *len < 4) { // the letter may end in the next chunk
    t->to = t->len - at > RI_CHUNK ? at + RI_CHUNK : t->len;
    *len = t->to - at;
  }
  return t->text + at;
}

void *ri_parse(void *parser, const char *text, uint32_t len, uint64_t micros) {
  ri_text t = {text, len, 0, 0, ri_now() + micros, false, UINT32_MAX - 1};
  ts_parser_set_timeout_micros(parser, micros);
  ri_input input = {&t, ri_read, 0};
  void *tree = ts_parser_parse(parser, NULL, input);
  if (tree && t.late) { // of a text that was cut
    ts_tree_delete(tree);
    return NULL;
  }
  return tree;
}
