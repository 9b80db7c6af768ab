#include "CPool.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Reading the schema of a catalog takes some ten thousand small pieces of memory and gives nearly all of them back, which is the
// quarter of a short command with malloc. Here a piece is cut off a slab, or is the one of its size that was given back last.
// What was cut stays of its size; large pieces, pages of the file among them, are malloc's.

enum { step = 16, largest = 2048, slab = 64 * 1024 };

struct piece {
  size_t room;         // how much its owner may use
  struct piece *next;  // while nobody owns it; its content begins here
};
enum { head = offsetof(struct piece, next) };

// Each thread has its own, and keeps what others have cut when it is the one to give it back: nobody waits for anybody. What a
// thread has at its end is lost.
static _Thread_local struct piece *unused[largest / step + 1];
static _Thread_local char *uncut = NULL;
static _Thread_local size_t uncut_size = 0;

static int rounded(int size) { return (size + head + step - 1) / step * step - head; }
static struct piece *piece_of(void *content) { return (struct piece *)((char *)content - head); }
static int room(void *content) { return content ? (int)piece_of(content)->room : 0; }

static struct piece *cut(size_t whole) {
  if (uncut_size < whole) {
    char *fresh = malloc(slab);
    if (!fresh) return NULL;
    uncut = fresh;
    uncut_size = slab;
  }
  struct piece *piece = (struct piece *)uncut;
  uncut += whole;
  uncut_size -= whole;
  return piece;
}

static void *take(int size) {
  size_t whole = rounded(size) + head;
  struct piece *piece;
  if (whole > largest) {
    piece = malloc(whole);
  } else if ((piece = unused[whole / step])) {
    unused[whole / step] = piece->next;
  } else {
    piece = cut(whole);
  }
  if (!piece) return NULL;
  piece->room = whole - head;
  return &piece->next;
}

static void give_back(void *content) {
  struct piece *piece = piece_of(content);
  size_t whole = piece->room + head;
  if (whole > largest) return free(piece);
  piece->next = unused[whole / step];
  unused[whole / step] = piece;
}

static void *resize(void *content, int size) {
  size_t before = piece_of(content)->room + head, whole = rounded(size) + head;
  if (whole == before) return content;
  if (whole > largest && before > largest) {
    struct piece *piece = realloc(piece_of(content), whole);
    if (!piece) return NULL;
    piece->room = whole - head;
    return &piece->next;
  }
  void *other = take(size);
  if (!other) return NULL;
  memcpy(other, content, (whole < before ? whole : before) - head);
  give_back(content);
  return other;
}

static int begin(void *nothing) { return SQLITE_OK; }
static void end(void *nothing) {}

int pool_serve_sqlite(void) {
  static const sqlite3_mem_methods methods = {take, give_back, resize, room, rounded, begin, end, NULL};
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}
