// What a row of a table may be: one of the rows above, by hashes of what it is called (RowsAbove), or something on the shelf (TitleIndex,
// Matcher). There the titles are read once, with year and makers as far as these tell most of those apart that are called alike, and of
// what is left the file is asked by the same queries. Titles and names are folded as the made-up things need it: letters of ASCII, all
// others as they stand.
#include <ctype.h>

// Names in a few bits, and the words of each.
enum { MOST_NAMES = 8, MOST_WORDS = 8 };
struct names {
  uint32_t bits;                             // a bit for each word; the last two: whether one is in Latin letters, and whether one is not
  uint16_t key;                              // of one name alone
  int count, words[MOST_NAMES];
  uint32_t word[MOST_NAMES][MOST_WORDS];
};
struct title { uint32_t sign, item, bits; uint16_t key; int16_t year; };

static struct title *titles;
static size_t title_count;

static uint32_t hash_of(uint32_t hash, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x01000193;
  return hash;
}

static uint32_t title_sign(char kind, const char *title, size_t length) {
  static const char *const articles[] = {"the ", "a ", "an "}, *const ends[] = {", the", ", a", ", an"};
  for (int i = 0; i < 3; i++) {
    size_t article = strlen(articles[i]);
    if (length > article && !strncasecmp(title, articles[i], article)) { title += article, length -= article; break; }
  }
  for (int i = 0; i < 3; i++) {
    size_t end = strlen(ends[i]);
    if (length > end && !strncasecmp(title + length - end, ends[i], end)) { length -= end; break; }
  }
  char key[1000];
  size_t size = 0;
  for (size_t i = 0; i < length && size < sizeof key - 3; i++) {
    unsigned char c = title[i];
    if (c == '&' || c == '+') memcpy(key + size, "and", 3), size += 3;
    else if (c >= 0x80 || isalnum(c)) key[size++] = tolower(c);
  }
  return hash_of(0x811c9dc5 ^ (unsigned char)kind, key, size);
}

// The signs of a title, and of what is left without brackets and subtitle.
static int title_signs(char kind, const char *title, uint32_t *signs) {
  int count = 0;
  size_t length = strlen(title);
  if (!length) return 0;
  signs[count++] = title_sign(kind, title, length);
  char last = title[length - 1];
  if (last == ')' || last == ']') {
    const char *open = strrchr(title, last == ')' ? '(' : '[');
    if (open && open > title) {
      length = open - title;
      while (length && title[length - 1] == ' ') length--;
      if (length) signs[count++] = title_sign(kind, title, length);
    }
  }
  const char *colon = kind == 'b' ? memchr(title, ':', length) : NULL;
  if (colon && colon > title) signs[count++] = title_sign(kind, title, colon - title);
  return count;
}

static void add_name(struct names *names, const char *text, size_t length) {
  static const char *const common[] = {"the", "and", "a", "an", "of"};
  if (names->count == MOST_NAMES) return;
  int number = names->count++, *words = &names->words[number], is_latin = 0;
  uint32_t key = 0x811c9dc5;
  *words = 0;
  for (size_t i = 0; i < length;) {
    char word[200];
    size_t size = 0;
    for (; i < length && ((unsigned char)text[i] >= 0x80 || isalnum((unsigned char)text[i])); i++) {
      if (size < sizeof word) word[size++] = tolower((unsigned char)text[i]);
      is_latin |= isalpha((unsigned char)text[i]);
    }
    if (!size) { i++; continue; }
    key = hash_of(key, word, size);
    int is_common = 0;
    for (int j = 0; j < 5; j++) is_common |= strlen(common[j]) == size && !memcmp(common[j], word, size);
    uint32_t hash = hash_of(0x811c9dc5, word, size);
    if (!is_common && *words < MOST_WORDS) names->word[number][(*words)++] = hash, names->bits |= 1u << hash % 30;
  }
  names->bits |= is_latin ? 1u << 30 : 1u << 31;
  if (number) names->bits |= 1u << key % 30 | (names->key ? 1u << names->key % 30 : 0), names->key = 0;
  else names->key = key % 0xFFFF + 1;
}

static int are_others(uint32_t bits, uint16_t key, uint32_t other, uint16_t other_key) {
  if (!(bits & other & 3u << 30)) return 0;
  uint32_t words = bits & ~(3u << 30), others = other & ~(3u << 30);
  if (key && other_key) return key != other_key && words & ~others && others & ~words;
  return !(words & others);
}

// Whether they are in two scripts, so that nobody can say.
static int are_unreadable(uint32_t bits, uint16_t key, uint32_t other, uint16_t other_key) {
  if (key) bits |= 1u << key % 30;
  if (other_key) other |= 1u << other_key % 30;
  return bits && other && !(bits & other);
}

static int by_sign(const void *one, const void *other) {
  uint32_t a = ((const struct title *)one)->sign, b = ((const struct title *)other)->sign;
  return a < b ? -1 : a > b;
}

static void read_titles(void) {
  sqlite3_stmt *statement = prepare(
      "SELECT id, kind, title, original_title, other_titles, year, ("
      " SELECT group_concat(name, char(31)) FROM credit JOIN person ON person.id = person_id WHERE credit.item_id = item.id"
      " AND role = CASE item.kind WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author' ELSE 'artist' END) FROM item");
  size_t capacity = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    char kind = *(const char *)sqlite3_column_text(statement, 1);
    struct names makers = {0};
    char *rest = (char *)sqlite3_column_text(statement, 6);
    for (char *name; rest && (name = strsep(&rest, "\x1F"));) add_name(&makers, name, strlen(name));
    for (int column = 2; column < 4; column++) {
      const char *text = (const char *)sqlite3_column_text(statement, column);
      uint32_t signs[3];
      int count = text ? title_signs(kind, text, signs) : 0;
      for (int i = 0; i < count; i++) {
        if (title_count == capacity) {
          capacity = capacity ? 2 * capacity : 4096;
          titles = realloc(titles, capacity * sizeof *titles);
          if (!titles) stop("memory");
        }
        titles[title_count++] = (struct title){
            signs[i], sqlite3_column_int64(statement, 0), makers.bits, makers.key, sqlite3_column_int(statement, 5)};
      }
    }
  }
  qsort(titles, title_count, sizeof *titles, by_sign);
}

// Whether two lists of names have one in common: all words of one are among those of another.
static int agree(const struct names *some, const struct names *others) {
  if (!some->count || !others->count || !(some->bits & others->bits & 3u << 30)) return 1;
  for (int i = 0; i < some->count; i++)
    for (int j = 0; j < others->count; j++) {
      int shared = 0;
      for (int k = 0; k < some->words[i]; k++)
        for (int l = 0; l < others->words[j]; l++) shared += some->word[i][k] == others->word[j][l];
      if (shared && (shared >= some->words[i] || shared >= others->words[j])) return 1;
    }
  return 0;
}

// What the file says of an item, by the queries of Store.thing(_:of:with:), and whether a row may be it: who made a book or a record is
// the same, a film is of the same year or, by the same people, of one next to it, and no source has two names for the two.
static int may_be(uint32_t item, const char *kind, const struct names *makers, int year, const char *source) {
  static sqlite3_stmt *movie, *book, *vinyl, *names, *ids;
  if (!movie) {
    movie = prepare("SELECT title, original_title, other_titles, year, NULL, NULL, NULL FROM item WHERE id = ? AND kind = 'movie'");
    book = prepare(
        "SELECT title, original_title, other_titles, year, isbn13, NULL, NULL FROM item"
        " LEFT JOIN book ON book.item_id = item.id WHERE item.id = ? AND kind = 'book'");
    vinyl = prepare(
        "SELECT title, original_title, other_titles, year, NULL, barcode, catalog_number FROM item"
        " LEFT JOIN vinyl ON vinyl.item_id = item.id WHERE item.id = ? AND kind = 'vinyl'");
    names = prepare(
        "SELECT person.name FROM credit JOIN person ON person.id = credit.person_id WHERE credit.item_id = ?1"
        " AND credit.role = CASE ?2 WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author' ELSE 'artist' END"
        " ORDER BY credit.position");
    ids = prepare("SELECT source, value FROM external_id WHERE item_id = ?");
  }
  sqlite3_stmt *whole = *kind == 'm' ? movie : *kind == 'b' ? book : vinyl;
  int is_movie = *kind == 'm', is_told_apart = 0;
  sqlite3_bind_int64(whole, 1, item);
  if (sqlite3_step(whole) != SQLITE_ROW) stop("an item is gone");
  struct names others = {0};
  sqlite3_bind_int64(names, 1, item);
  sqlite3_bind_text(names, 2, kind, -1, SQLITE_STATIC);
  while (sqlite3_step(names) == SQLITE_ROW)
    add_name(&others, (const char *)sqlite3_column_text(names, 0), sqlite3_column_bytes(names, 0));
  sqlite3_bind_int64(ids, 1, item);
  while (is_movie && sqlite3_step(ids) == SQLITE_ROW)
    is_told_apart |= !strcmp((const char *)sqlite3_column_text(ids, 0), source);
  int other = sqlite3_column_int(whole, 3), apart = is_movie && year && other ? abs(other - year) : 0;
  sqlite3_reset(whole), sqlite3_reset(names), sqlite3_reset(ids);
  return !is_told_apart && (agree(makers, &others) ? apart < 2 : is_movie && year && year == other);
}

// What a title may be of what a row tells of, by what is known of it in memory.
enum nearness { OTHER, MAY_BE_CERTAIN, UNSURE };

static enum nearness nearness_of(const struct title *title, const char *kind, const struct names *makers, int year) {
  int apart = title->year && year ? abs(title->year - year) : -1;
  if (*kind == 'm' && apart > 1) return OTHER;
  if (*kind == 'm' && !apart) return MAY_BE_CERTAIN;
  if (are_others(title->bits, title->key, makers->bits, makers->key)) return OTHER;
  return apart && are_unreadable(title->bits, title->key, makers->bits, makers->key) ? UNSURE : MAY_BE_CERTAIN;
}

// The rows above, by the hashes of what they are called: 0 stands for a free place.
static uint64_t *above;
static size_t above_count, above_capacity;

static uint64_t long_hash(uint64_t hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (unsigned char)(*text >= 'A' && *text <= 'Z' ? *text | 0x20 : *text)) * 0x100000001B3;
  return (hash ^ 0x1F) * 0x100000001B3;
}

// Whether a name stands above; it is remembered.
static int is_above(uint64_t name) {
  if (!name) name = 1;
  if (above_count * 4 >= above_capacity * 3) {
    size_t capacity = above_capacity ? 2 * above_capacity : 4096;
    uint64_t *larger = calloc(capacity, sizeof *larger);
    if (!larger) stop("memory");
    for (size_t i = 0; i < above_capacity; i++) {
      if (!above[i]) continue;
      size_t place = above[i] & (capacity - 1);
      while (larger[place]) place = (place + 1) & (capacity - 1);
      larger[place] = above[i];
    }
    free(above);
    above = larger, above_capacity = capacity;
  }
  size_t place = name & (above_capacity - 1);
  for (; above[place]; place = (place + 1) & (above_capacity - 1))
    if (above[place] == name) return 1;
  above[place] = name, above_count++;
  return 0;
}

// Whether a row is one above: a code is the same, or kind, title, maker and year are. The title and maker alone are looked for, too, for
// editions, which are things of their own.
static int is_row_above(const char *kind, const char *title, const char *creator, const char *year, const char *source,
                        const char *id, const char *code) {
  uint64_t start = long_hash(0xCBF29CE484222325, kind), work = long_hash(long_hash(start, title), creator);
  int found = 0;
  if (*id) found |= is_above(long_hash(long_hash(start ^ 1, source), id));
  if (*code) found |= is_above(long_hash(start ^ 2, code));
  found |= is_above(long_hash(work ^ 3, year));
  is_above(work);
  return found;
}

// What is found on the shelf: nothing, the same for certain, or what only a person can tell.
enum match { NEW, CERTAIN, PERHAPS };

// What of the shelf a row is. All is looked at that may be the same for certain; of what only a person can tell, one that comes near is
// enough.
static enum match match(
    const char *kind, const char *title, const char *original, const char *creator, int year, const char *source) {
  if (!title_count) return NEW;
  uint32_t signs[6];
  int count = title_signs(*kind, title, signs), found = 0, certain = 0;
  count += title_signs(*kind, original, signs + count);
  struct names makers = {0};
  if (*creator) add_name(&makers, creator, strlen(creator));
  size_t starts[6];
  for (int i = 0; i < count; i++) {
    size_t low = 0, high = title_count;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (titles[middle].sign >= signs[i]) high = middle;
      else low = middle + 1;
    }
    starts[i] = low;
  }
  for (enum nearness wanted = MAY_BE_CERTAIN; wanted <= UNSURE; wanted++)
    for (int i = 0; i < count; i++)
      for (size_t at = starts[i]; at < title_count && titles[at].sign == signs[i]; at++) {
        if (wanted == UNSURE && found) return found == 1 && certain ? CERTAIN : PERHAPS;
        if (nearness_of(&titles[at], kind, &makers, year) != wanted) continue;
        if (!may_be(titles[at].item, kind, &makers, year, source)) continue;
        found++;
        certain += wanted == MAY_BE_CERTAIN && i == 0;
      }
  return !found ? NEW : found == 1 && certain ? CERTAIN : PERHAPS;
}
