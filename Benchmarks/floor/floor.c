// The C floor: what the same work costs a C program that does nothing else, on the same file and schema.
// Benchmarks/run builds it with gcc -O2 and Debian's libsqlite3.a, as the release binary links it.
//
//     floor show FILE ID          floor search FILE WORD           floor add FILE TITLE
//     floor list FILE LIMIT       floor genres FILE                floor bulk FILE THINGS.tsv
//     floor decades FILE          floor query FILE SQL            floor listwhere FILE CONDITION
//     floor import FILE TABLE.csv
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOW "2026-11-21T09:00:00Z"

static sqlite3 *db;

static void stop(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
  exit(1);
}

static void run(const char *sql) {
  if (sqlite3_exec(db, sql, NULL, NULL, NULL)) stop(sql);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL)) stop(sql);
  return statement;
}

static void open_file(const char *path, int flags) {
  sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (sqlite3_open_v2(path, &db, flags, NULL)) stop(path);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
  if (flags & SQLITE_OPEN_READONLY) run("PRAGMA mmap_size = 1073741824");
  else run("PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY");
}

// MARK: Reading

static void print_rows(sqlite3_stmt *statement) {
  int columns = sqlite3_column_count(statement), code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW)
    for (int i = 0; i < columns; i++) {
      const unsigned char *text = sqlite3_column_text(statement, i);
      if (text) fwrite_unlocked(text, 1, sqlite3_column_bytes(statement, i), stdout);
      putc_unlocked(i + 1 < columns ? '\t' : '\n', stdout);
    }
  if (code != SQLITE_DONE) stop("reading");
  sqlite3_finalize(statement);
}

static void print_with_id(const char *sql, sqlite3_int64 id) {
  sqlite3_stmt *statement = prepare(sql);
  sqlite3_bind_int64(statement, 1, id);
  print_rows(statement);
}

// The queries of Store.item(_:), and the view that is kept.
static void show(sqlite3_int64 id) {
  print_with_id("SELECT * FROM item WHERE id = ?", id);
  print_with_id("SELECT * FROM movie WHERE item_id = ?", id);
  print_with_id(
      "SELECT person.name, person.external_id, role, detail FROM credit JOIN person ON person.id = person_id"
      " WHERE item_id = ? ORDER BY position", id);
  print_with_id("SELECT source, value FROM external_id WHERE item_id = ? ORDER BY source, value", id);
  print_with_id(
      "SELECT label FROM item_label JOIN genre_label ON genre_label.id = label_id WHERE item_id = ? ORDER BY position", id);
  print_with_id(
      "SELECT genre.name FROM item_genre JOIN genre ON genre.id = genre_id WHERE item_id = ? ORDER BY position", id);
  print_with_id("SELECT added_at FROM favorite WHERE item_id = ?", id);
  print_with_id(
      "SELECT rating, scale FROM card WHERE item_id = ? AND rating IS NOT NULL ORDER BY id DESC LIMIT 1", id);
  print_with_id("SELECT 1 FROM cover WHERE item_id = ?", id);
  print_with_id("SELECT * FROM card WHERE item_id = ? ORDER BY id DESC", id);
  print_with_id("SELECT * FROM copy LEFT JOIN loan ON loan.copy_id = copy.id AND returned_on IS NULL WHERE item_id = ?", id);
  print_with_id("SELECT * FROM event WHERE item_id = ?", id);
  print_with_id("SELECT created_at FROM wish WHERE item_id = ? AND fulfilled_at IS NULL", id);
  print_with_id("SELECT name FROM item_tag JOIN tag ON tag.id = tag_id WHERE item_id = ?", id);
  print_with_id("SELECT name FROM pile_item JOIN pile ON pile.id = pile_id WHERE item_id = ?", id);
  print_with_id(
      "SELECT item_id FROM edition_of WHERE work_id IN (SELECT ?1 UNION SELECT work_id FROM edition_of WHERE item_id = ?1)", id);
  print_with_id(
      "INSERT INTO recently_viewed (source, source_id, item_id, kind, title, creator, year, viewed_at)"
      " SELECT 'item', item.id, item.id, kind, title, creator, year, '" NOW "' FROM item JOIN item_creator ON item_id = item.id"
      " WHERE item.id = ?", id);
}

// The columns that `catalog list` prints.
#define LISTED \
  "SELECT item.id, item.kind, item.title," \
  " (SELECT group_concat(name, char(31)) FROM (SELECT person.name FROM credit JOIN person ON person.id = credit.person_id" \
  "   WHERE credit.item_id = item.id AND credit.role = CASE item.kind WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author'" \
  "   ELSE 'artist' END ORDER BY credit.position))," \
  " item.year," \
  " (SELECT group_concat(name, char(31)) FROM (SELECT genre.name FROM item_genre JOIN genre ON genre.id = item_genre.genre_id" \
  "   WHERE item_genre.item_id = item.id ORDER BY item_genre.position))," \
  " (SELECT rating || ' ' || scale FROM card WHERE card.item_id = item.id AND rating IS NOT NULL" \
  "   ORDER BY id DESC LIMIT 1) FROM item "

static void list(sqlite3_int64 limit) {
  print_with_id(LISTED "ORDER BY item.id DESC LIMIT ?", limit);
}

static void list_where(const char *condition) {
  char *sql = sqlite3_mprintf("%s WHERE %s ORDER BY item.id DESC LIMIT 50", LISTED, condition);
  print_rows(prepare(sql));
  sqlite3_free(sql);
}

static void search(const char *word) {
  sqlite3_stmt *statement = prepare(
      LISTED "WHERE item.id IN (SELECT rowid FROM item_search WHERE item_search MATCH ?1"
      " UNION ALL SELECT rowid FROM item_search_own WHERE item_search_own MATCH ?1) ORDER BY"
      " CASE WHEN item.title = ?2 COLLATE NOCASE THEN 0 WHEN substr(item.title, 1, ?3) = ?2 COLLATE NOCASE THEN 1"
      " WHEN instr(lower(item.title), lower(?2)) > 0 THEN 2"
      " WHEN item.id NOT IN (SELECT rowid FROM item_search_own WHERE item_search_own MATCH ?1) THEN 3"
      " WHEN item.id IN (SELECT rowid FROM item_search WHERE item_search MATCH ?1) THEN 3 ELSE 4 END, item.id DESC");
  char expression[200];
  snprintf(expression, sizeof expression, "\"%s\"*", word);
  sqlite3_bind_text(statement, 1, expression, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, word, -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 3, strlen(word));
  print_rows(statement);
}

enum { most_genres = 4096, most_own = 64 };
static int parent[most_genres], genre_span;

static void read_genres(void) {
  sqlite3_stmt *statement = prepare("SELECT id, name, parent_id FROM genre ORDER BY id");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    int genre = sqlite3_column_int(statement, 0) % most_genres;
    parent[genre] = sqlite3_column_int(statement, 2) % most_genres;
    if (genre >= genre_span) genre_span = genre + 1;
  }
}

// Calls back with each item's own genres.
static void each_item(void (*count)(sqlite3_int64 item, const int *genres, int amount)) {
  sqlite3_stmt *statement = prepare("SELECT item_id, genre_id FROM item_genre ORDER BY item_id");
  sqlite3_int64 item = 0;
  int mine[most_own], amount = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    sqlite3_int64 next = sqlite3_column_int64(statement, 0);
    if (next != item && item) {
      count(item, mine, amount);
      amount = 0;
    }
    item = next;
    if (amount < most_own) mine[amount++] = sqlite3_column_int(statement, 1) % most_genres;
  }
  if (item) count(item, mine, amount);
}

// What the genre analysis reads and counts: which items it is about, and their days; each genre with those above it, once an item,
// among items of one kind with about as many genres; ratings within kinds; the weight of an item split among its lowest genres, and
// so among branches, by kind and year; pairs among items of one kind with as many genres; and the drift of each year. It makes no
// test of chance, and no report.
enum { kinds = 3, most_strata = 6, strata = kinds * most_strata, years = 32, first_year = 2000, rated_values = 101, differences = 201 };
enum { undated = INT32_MIN, outside = -1, today = 20778, a_year_ago = 20251121, crowd = 100 };
// A date is year × 10 000 + month × 100 + day, of which month and day may be 0; 0 is unknown.
static struct fact { uint8_t kind, is_recent, is_favorite, is_seen; int8_t rating, public_rating; int32_t date, finished, day; } *facts;
static struct {
  int64_t items, own, rated, sum, judged, loved;
  int first_year, met, below;
} counted[kinds][most_genres];
static struct { int64_t items, waiting, dated, recent; uint64_t stretches; int first_day, last_day, met; } came[strata][most_genres];
static double lowest_weight[most_genres], weights[kinds][most_genres];
static int32_t (*ratings)[rated_values], (*against_public)[differences];
static int carriers[kinds][most_genres], branch[most_genres];
static int32_t (*own_beside)[most_genres], places_beside[kinds * most_own];
static int64_t kind_items[kinds];
static uint32_t *pairs;
static int rounds;

// A branch is a genre of the level below a root.
static void find_branches(void) {
  for (int genre = 0; genre < most_genres; genre++) {
    branch[genre] = genre;
    while (parent[branch[genre]] && parent[parent[branch[genre]]]) branch[genre] = parent[branch[genre]];
  }
}

static int date_of(const unsigned char *text, int bytes) {
  if (bytes < 4) return 0;
  int date = ((text[0] & 15) * 1000 + (text[1] & 15) * 100 + (text[2] & 15) * 10 + (text[3] & 15)) * 10000;
  if (bytes >= 7) date += ((text[5] & 15) * 10 + (text[6] & 15)) * 100;
  if (bytes >= 10) date += (text[8] & 15) * 10 + (text[9] & 15);
  return date;
}

static int day_of(int date) {
  int year = date / 10000, month = date / 100 % 100, day = date % 100;
  year -= month <= 2;
  int era = year / 400, of_era = year - era * 400, of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

// The weight of each branch of a kind in each year, and the items that give it.
static double (*year_weights)[years][most_genres];
static int64_t year_items[kinds][years];

static void count_item(sqlite3_int64 item, const int *genres, int amount) {
  struct fact fact = facts[item];
  if (fact.date < 0 || fact.kind >= kinds) return;
  int kind = fact.kind, stratum = kind * most_strata + (amount < most_strata ? amount : most_strata) - 1, year = fact.date / 10000;
  int is_rated = fact.rating >= 0, is_judged = fact.is_favorite || is_rated, is_loved = fact.is_favorite || fact.rating >= 80;
  int has_public = is_rated && fact.public_rating >= 0, is_waiting = !is_rated && !fact.is_seen;
  int is_dated = fact.day != undated, age = is_dated ? (today - fact.day) / 30 : -1;
  uint64_t stretch = age >= 0 && age < 32 ? 1ull << age : 0;
  rounds++;
  kind_items[kind]++;
  places_beside[kind * most_own + amount - 1]++;
  for (int i = 0; i < amount; i++) {
    counted[kind][genres[i]].own++;
    own_beside[kind * most_own + amount - 1][genres[i]]++;
    if (year < counted[kind][genres[i]].first_year) counted[kind][genres[i]].first_year = year;
    for (int j = 0; j < i; j++) {
      int a = genres[i] < genres[j] ? genres[i] : genres[j], b = genres[i] + genres[j] - a;
      pairs[a * genre_span + b]++;
    }
    for (int genre = genres[i]; genre && counted[kind][genre].met != rounds; genre = parent[genre]) {
      counted[kind][genre].met = rounds;
      counted[kind][genre].items++;
      counted[kind][genre].judged += is_judged;
      counted[kind][genre].loved += is_loved;
      came[stratum][genre].items++;
      came[stratum][genre].waiting += is_waiting;
      if (is_dated) {
        came[stratum][genre].dated++;
        came[stratum][genre].recent += fact.is_recent;
        came[stratum][genre].stretches |= stretch;
        if (fact.day < came[stratum][genre].first_day) came[stratum][genre].first_day = fact.day;
        if (fact.day > came[stratum][genre].last_day) came[stratum][genre].last_day = fact.day;
      }
      if (is_rated) {
        counted[kind][genre].rated++, counted[kind][genre].sum += fact.rating;
        ratings[kind * most_genres + genre][fact.rating]++;
      }
      if (has_public) against_public[kind * most_genres + genre][100 + fact.rating - fact.public_rating]++;
      counted[kind][parent[genre]].below = rounds;
    }
  }
  int lowest = 0;
  int branches[most_own];
  for (int i = 0; i < amount; i++)
    if (counted[kind][genres[i]].below != rounds) branches[lowest++] = genres[i];
  for (int i = 0; i < lowest; i++) {
    lowest_weight[branches[i]] += 1.0 / lowest;
    branches[i] = branch[branches[i]];
    weights[kind][branches[i]] += 1.0 / lowest;
    carriers[kind][branches[i]]++;
    if (year >= first_year && year < first_year + years) year_weights[kind][year - first_year][branches[i]] += 1.0 / lowest;
  }
  if (year >= first_year && year < first_year + years) year_items[kind][year - first_year]++;
}

// How far two years are apart within each kind that both have (Jensen and Shannon).
static void drift(int one, int other) {
  double drift = 0, whole = 0;
  for (int kind = 0; kind < kinds; kind++) {
    double items = year_items[kind][one], others = year_items[kind][other], sum = 0;
    if (!items || !others) continue;
    for (int genre = 0; genre < most_genres; genre++) {
      double p = year_weights[kind][one][genre] / items, q = year_weights[kind][other][genre] / others, middle = (p + q) / 2;
      if (p > 0) sum += p * log2(p / middle) / 2;
      if (q > 0) sum += q * log2(q / middle) / 2;
    }
    whole += items * others / (items + others);
    drift += items * others / (items + others) * sum;
  }
  if (whole) printf("%d\t%f\n", other + first_year, drift / whole);
}

// All years of which there is something with a genre, each held against the one before it.
static void drifts(void) {
  for (int year = 0, last = -1; year < years; year++) {
    int64_t items = 0;
    for (int kind = 0; kind < kinds; kind++) items += year_items[kind][year];
    if (!items) continue;
    if (last >= 0) drift(last, year);
    last = year;
  }
}

#define TITLES "item.title || coalesce(char(10) || original_title, '') || coalesce(char(10) || other_titles, '')"

// Books and films of one story, both rated.
static void stories(void) {
  sqlite3_stmt *films = prepare(
      "SELECT item.id, " TITLES ", person.name FROM item JOIN credit ON credit.item_id = item.id AND credit.role = 'author'"
      " JOIN person ON person.id = credit.person_id WHERE item.kind = 'movie' ORDER BY item.id");
  sqlite3_stmt *books = prepare(
      "SELECT item.id, " TITLES " FROM person JOIN credit ON credit.person_id = person.id AND credit.role = 'author'"
      " JOIN item ON item.id = credit.item_id WHERE person.name = ? AND item.kind = 'book' ORDER BY item.id");
  while (sqlite3_step(films) == SQLITE_ROW) {
    if (facts[sqlite3_column_int64(films, 0)].rating < 0) continue;
    sqlite3_bind_value(books, 1, sqlite3_column_value(films, 2));
    while (sqlite3_step(books) == SQLITE_ROW)
      if (facts[sqlite3_column_int64(books, 0)].rating >= 0 &&
          !strcasecmp((const char *)sqlite3_column_text(films, 1), (const char *)sqlite3_column_text(books, 1)))
        printf("%lld\t%lld\n", sqlite3_column_int64(films, 0), sqlite3_column_int64(books, 0));
    sqlite3_reset(books);
  }
}

// Which items the report is about, and by which dates: what the view `taste` selects.
static void read_scope(sqlite3_int64 last) {
  static int32_t crowds[kinds][200 * 384];
  int64_t items[kinds] = {0}, finished[kinds] = {0};
  int tells = 0;
  sqlite3_stmt *statement = prepare("SELECT id, kind, created_at, public_rating FROM item");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    struct fact *fact = &facts[sqlite3_column_int64(statement, 0)];
    const unsigned char *kind = sqlite3_column_text(statement, 1), *added = sqlite3_column_text(statement, 2);
    fact->kind = *kind == 'm' ? 0 : *kind == 'b' ? 1 : *kind == 'v' ? 2 : kinds;
    fact->date = fact->kind < kinds ? date_of(added, sqlite3_column_bytes(statement, 2)) : outside;
    fact->finished = fact->rating = -1;
    fact->public_rating = sqlite3_column_type(statement, 3) == SQLITE_NULL ? -1 : sqlite3_column_double(statement, 3) + 0.5;
  }
  statement = prepare("SELECT item.id FROM item JOIN import_time ON at = created_at");
  while (sqlite3_step(statement) == SQLITE_ROW) facts[sqlite3_column_int64(statement, 0)].date = 0;
  statement = prepare("SELECT item_id, ended_on FROM event WHERE outcome = 'done'");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    struct fact *fact = &facts[sqlite3_column_int64(statement, 0)];
    int date = date_of(sqlite3_column_text(statement, 1), sqlite3_column_bytes(statement, 1));
    fact->is_seen = 1;
    if (date > fact->finished) fact->finished = date;
  }
  // What is only wished for.
  statement = prepare(
      "SELECT item_id FROM wish WHERE item_id IS NOT NULL AND fulfilled_at IS NULL"
      " AND NOT EXISTS (SELECT 1 FROM copy WHERE copy.item_id = wish.item_id)");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    struct fact *fact = &facts[sqlite3_column_int64(statement, 0)];
    if (!fact->is_seen) fact->kind = kinds, fact->date = outside;
  }
  for (sqlite3_int64 item = 1; item <= last; item++)
    if (facts[item].kind < kinds && facts[item].date >= 0) items[facts[item].kind]++, finished[facts[item].kind] += facts[item].is_seen;
  for (int kind = 0; kind < kinds; kind++)
    if (finished[kind] && 4 * finished[kind] >= items[kind]) tells |= 1 << kind;
  // Of the editions of a work one counts.
  statement = prepare(
      "SELECT work_id, item.id FROM (SELECT work_id, item_id FROM edition_of UNION SELECT work_id, work_id FROM edition_of)"
      " JOIN item ON item.id = item_id ORDER BY work_id, created_at, item.id");
  sqlite3_int64 work = 0, best = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    sqlite3_int64 item = sqlite3_column_int64(statement, 1);
    if (facts[item].date < 0) continue;
    if (sqlite3_column_int64(statement, 0) != work) work = sqlite3_column_int64(statement, 0), best = item;
    else if (facts[item].is_seen > facts[best].is_seen) facts[best].date = outside, best = item;
    else facts[item].date = outside;
  }
  for (sqlite3_int64 item = 1; item <= last; item++) {
    struct fact *fact = &facts[item];
    if (fact->kind == kinds || fact->date < 0) continue;
    if (tells >> fact->kind & 1) fact->date = fact->finished;
    if (fact->date > 19000000 && fact->date % 100)
      crowds[fact->kind][(fact->date / 10000 - 1900) % 200 * 384 + fact->date / 100 % 100 * 32 + fact->date % 100]++;
  }
  for (sqlite3_int64 item = 1; item <= last; item++) {
    struct fact *fact = &facts[item];
    fact->day = undated;
    if (fact->kind == kinds || fact->date <= 19000000 || fact->date % 100 == 0) continue;
    if (crowds[fact->kind][(fact->date / 10000 - 1900) % 200 * 384 + fact->date / 100 % 100 * 32 + fact->date % 100] >= crowd) {
      fact->date = 0;
    } else {
      fact->day = day_of(fact->date);
      fact->is_recent = fact->date >= a_year_ago;
    }
  }
}

static void genres(void) {
  sqlite3_stmt *statement = prepare("SELECT max(id) FROM item");
  sqlite3_step(statement);
  sqlite3_int64 last = sqlite3_column_int64(statement, 0);
  facts = calloc(last + 1, sizeof *facts);
  ratings = calloc(kinds * most_genres, sizeof *ratings);
  against_public = calloc(kinds * most_genres, sizeof *against_public);
  own_beside = calloc(kinds * most_own, sizeof *own_beside);
  year_weights = calloc(kinds, sizeof *year_weights);
  if (!facts || !ratings || !against_public || !own_beside || !year_weights) stop("memory");
  read_genres();
  find_branches();
  pairs = calloc(genre_span * genre_span, sizeof *pairs);
  if (!pairs) stop("memory");
  for (int genre = 0; genre < most_genres; genre++) {
    for (int kind = 0; kind < kinds; kind++) counted[kind][genre].first_year = INT32_MAX;
    for (int stratum = 0; stratum < strata; stratum++) came[stratum][genre].first_day = INT32_MAX;
  }
  print_rows(prepare(
      "SELECT DISTINCT a.genre_id, b.genre_id FROM genre_label_target AS a"
      " JOIN genre_label_target AS b ON b.label_id = a.label_id AND b.genre_id > a.genre_id"));
  read_scope(last);
  statement = prepare("SELECT item_id, rating FROM card WHERE rating IS NOT NULL");
  while (sqlite3_step(statement) == SQLITE_ROW)
    facts[sqlite3_column_int64(statement, 0)].rating = sqlite3_column_int(statement, 1);
  statement = prepare("SELECT item_id FROM favorite ORDER BY item_id");
  while (sqlite3_step(statement) == SQLITE_ROW) facts[sqlite3_column_int64(statement, 0)].is_favorite = 1;
  each_item(count_item);
  stories();
  statement = prepare("SELECT id, name FROM genre");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    int genre = sqlite3_column_int(statement, 0) % most_genres;
    for (int kind = 0; kind < kinds; kind++)
      if (counted[kind][genre].items)
        printf("%s\t%d\t%lld\t%lld\t%f\t%lld\t%lld\t%lld\t%lld\t%d\n", sqlite3_column_text(statement, 1), kind,
               (long long)counted[kind][genre].items, (long long)counted[kind][genre].own, lowest_weight[genre] / rounds,
               (long long)counted[kind][genre].rated, (long long)counted[kind][genre].sum,
               (long long)counted[kind][genre].judged, (long long)counted[kind][genre].loved, counted[kind][genre].first_year);
    for (int stratum = 0; stratum < strata; stratum++)
      if (came[stratum][genre].items)
        printf("%d\t%lld\t%lld\t%lld\t%lld\t%d\t%d\n", stratum, (long long)came[stratum][genre].items,
               (long long)came[stratum][genre].waiting, (long long)came[stratum][genre].dated,
               (long long)came[stratum][genre].recent, came[stratum][genre].first_day, came[stratum][genre].last_day);
  }
  for (int a = 0; a < genre_span; a++)
    for (int b = a; b < genre_span; b++)
      if (pairs[a * genre_span + b] > 2) {
        double expected = 0;
        for (int row = 0; row < kinds * most_own; row++) {
          int one = own_beside[row][a], other = own_beside[row][b], labels = row % most_own + 1;
          if (!one || !other || labels < 2) continue;
          int most = one > other ? one : other, places = (places_beside[row] * labels - most) / (labels - 1);
          expected += (double)one * other / (places > most ? places : most);
        }
        printf("%d\t%d\t%u\t%f\n", a, b, pairs[a * genre_span + b], expected);
      }
  drifts();
  for (int one = 0; one < kinds; one++)
    for (int other = one + 1; other < kinds; other++)
      for (int genre = 0; genre < most_genres; genre++)
        if (carriers[one][genre] > 2 && carriers[other][genre] > 2)
          printf("%d\t%d\t%d\t%f\n", one, other, genre,
                 weights[one][genre] / kind_items[one] * weights[other][genre] / kind_items[other]);
}

// Genre × decade in two scans: the decade of each item in an array, then the genres counted through it, each with those
// above it once an item.
enum { first_decade = -301, decade_count = 600 };
static int16_t *decade_of;
static int64_t decade_counts[most_genres][decade_count];
static int met[most_genres];

static void count_decade(sqlite3_int64 item, const int *genres, int amount) {
  if (facts[item].date < 0 || facts[item].kind >= kinds) return;
  rounds++;
  for (int i = 0; i < amount; i++)
    for (int genre = genres[i]; genre && met[genre] != rounds; genre = parent[genre]) {
      met[genre] = rounds;
      decade_counts[genre][decade_of[item]]++;
    }
}

static void decades(void) {
  sqlite3_stmt *statement = prepare("SELECT max(id), (SELECT count(*) FROM item) FROM item");
  sqlite3_step(statement);
  sqlite3_int64 last = sqlite3_column_int64(statement, 0);
  decade_of = calloc(last + 1, sizeof *decade_of);
  facts = calloc(last + 1, sizeof *facts);
  if (!decade_of || !facts) stop("memory");
  read_scope(last);
  statement = prepare("SELECT id, year FROM item WHERE year IS NOT NULL");
  while (sqlite3_step(statement) == SQLITE_ROW)
    decade_of[sqlite3_column_int64(statement, 0)] = sqlite3_column_int(statement, 1) / 10 - first_decade;
  read_genres();
  each_item(count_decade);
  statement = prepare("SELECT id, name FROM genre");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    int genre = sqlite3_column_int(statement, 0) % most_genres;
    for (int i = 1; i < decade_count; i++)
      if (decade_counts[genre][i])
        printf("%s\t%d\t%lld\n", sqlite3_column_text(statement, 1), (i + first_decade) * 10,
               (long long)decade_counts[genre][i]);
  }
}

// MARK: Writing

// Ids by text: open addressing, never shrinks.
struct entry { char *key; sqlite3_int64 id; };
struct ids { struct entry *entries; size_t capacity, count; };

static struct entry *find(struct ids *ids, const char *key) {
  if (ids->count * 2 >= ids->capacity) {
    struct ids bigger = {NULL, ids->capacity ? ids->capacity * 2 : 1024, ids->count};
    bigger.entries = calloc(bigger.capacity, sizeof *bigger.entries);
    for (size_t i = 0; i < ids->capacity; i++)
      if (ids->entries[i].key) {
        bigger.count = 0;
        *find(&bigger, ids->entries[i].key) = ids->entries[i];
      }
    bigger.count = ids->count;
    free(ids->entries);
    *ids = bigger;
  }
  uint64_t hash = 0xcbf29ce484222325;
  for (const char *c = key; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
  size_t i = hash & (ids->capacity - 1);
  while (ids->entries[i].key && strcmp(ids->entries[i].key, key)) i = (i + 1) & (ids->capacity - 1);
  return &ids->entries[i];
}

static void keep(struct ids *ids, struct entry *entry, const char *key, sqlite3_int64 id) {
  entry->key = strdup(key);
  entry->id = id;
  ids->count++;
}

// Binds by letters: t text (empty is NULL), T text as it stands, i integer, n number in a text (empty is NULL).
static sqlite3_int64 insert(sqlite3_stmt *statement, const char *types, ...) {
  va_list values;
  va_start(values, types);
  for (int i = 1; *types; types++, i++) {
    if (*types == 'i') {
      sqlite3_bind_int64(statement, i, va_arg(values, sqlite3_int64));
    } else {
      const char *text = va_arg(values, const char *);
      if (!*text && *types != 'T') sqlite3_bind_null(statement, i);
      else if (*types == 'n') sqlite3_bind_int64(statement, i, atoll(text));
      else sqlite3_bind_text(statement, i, text, -1, SQLITE_STATIC);
    }
  }
  va_end(values);
  if (sqlite3_step(statement) != SQLITE_DONE) stop(sqlite3_sql(statement));
  sqlite3_reset(statement);
  return sqlite3_last_insert_rowid(db);
}

static sqlite3_int64 lookup(sqlite3_stmt *statement, const char *a, const char *b) {
  sqlite3_bind_text(statement, 1, a, -1, SQLITE_STATIC);
  if (b) sqlite3_bind_text(statement, 2, b, -1, SQLITE_STATIC);
  sqlite3_int64 id = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
  sqlite3_reset(statement);
  return id;
}

static unsigned next_scalar(const unsigned char **c) {
  unsigned first = *(*c)++;
  if (first < 0x80) return first;
  int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  unsigned scalar = first & (0x3F >> more);
  while (more--) scalar = scalar << 6 | (*(*c)++ & 0x3F);
  return scalar;
}

static int is_joined(unsigned scalar) {
  return (scalar >= 0x3040 && scalar <= 0x30FF) || (scalar >= 0x3400 && scalar <= 0x4DBF) ||
         (scalar >= 0x4E00 && scalar <= 0x9FFF) || (scalar >= 0xAC00 && scalar <= 0xD7A3);
}

// The text, its two-character pieces and initial consonants, as SearchText.indexed makes them.
static const char *indexed(const char *text) {
  static char buffer[1 << 16];
  static const char consonants[][4] = {"ㄱ", "ㄲ", "ㄴ", "ㄷ", "ㄸ", "ㄹ", "ㅁ", "ㅂ", "ㅃ", "ㅅ",
                                       "ㅆ", "ㅇ", "ㅈ", "ㅉ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ"};
  const unsigned char *c = (const unsigned char *)text;
  while (*c && *c < 0xE3) c++;
  if (!*c || strlen(text) > 2000) return text;
  char *end = stpcpy(buffer, text);
  const unsigned char *previous = NULL;
  int length = 0;
  for (c = (const unsigned char *)text; *c;) {
    const unsigned char *start = c;
    unsigned scalar = next_scalar(&c);
    if (is_joined(scalar)) {
      if (previous) end += sprintf(end, " %.*s%.*s", length, previous, (int)(c - start), start);
      previous = start;
      length = c - start;
    } else if (scalar != ' ' && previous) {
      end += sprintf(end, " %.*s", length, previous);
      previous = NULL;
    }
  }
  if (previous) end += sprintf(end, " %.*s", length, previous);
  // From each word on to the end of its line.
  int in_word = 0;
  for (c = (const unsigned char *)text; *c;) {
    const unsigned char *start = c;
    unsigned scalar = next_scalar(&c);
    if (scalar < 0xAC00 || scalar > 0xD7A3) in_word = 0;
    else if (!in_word++) {
      *end++ = ' ';
      for (const unsigned char *d = start; *d && *d != '\n';) {
        unsigned other = next_scalar(&d);
        if (other >= 0xAC00 && other <= 0xD7A3) end = stpcpy(end, consonants[(other - 0xAC00) / 588]);
      }
    }
  }
  *end = 0;
  return buffer;
}

static void index_pending(void) {
  sqlite3_stmt *pending = prepare("SELECT item_id, text, own FROM search_pending JOIN item_text USING (item_id)");
  sqlite3_stmt *learn = prepare("INSERT INTO item_search (rowid, words) VALUES (?, ?)");
  sqlite3_stmt *learn_own = prepare("INSERT INTO item_search_own (rowid, words) VALUES (?, ?)");
  while (sqlite3_step(pending) == SQLITE_ROW) {
    insert(learn, "iT", sqlite3_column_int64(pending, 0), indexed((const char *)sqlite3_column_text(pending, 1)));
    if (sqlite3_column_bytes(pending, 2))
      insert(learn_own, "iT", sqlite3_column_int64(pending, 0), indexed((const char *)sqlite3_column_text(pending, 2)));
  }
  sqlite3_finalize(pending);
  run("DELETE FROM search_pending");
}

#define ADD_ITEM \
  "INSERT INTO item (kind, title, original_title, sort_title, year, created_at, updated_at)" \
  " VALUES (?, ?, ?, ?, ?, '" NOW "', '" NOW "')"
#define ADD_CREDIT "INSERT INTO credit (item_id, position, person_id, role) VALUES (?, ?, ?, ?)"
#define ADD_PERSON "INSERT INTO person (name) VALUES (?)"
#define ADD_GENRE "INSERT INTO item_genre (item_id, position, genre_id) VALUES (?, ?, ?)"

static const char *sort_title(const char *title) {
  static char buffer[1000];
  static const char *const articles[] = {"The ", "A ", "An "};
  for (int i = 0; i < 3; i++) {
    size_t length = strlen(articles[i]);
    if (!strncasecmp(title, articles[i], length)) {
      snprintf(buffer, sizeof buffer, "%s, %.*s", title + length, (int)length - 1, title);
      return buffer;
    }
  }
  return "";
}

// Whether it is there already, by its title and by its words.
static void look_for(const char *title) {
  lookup(prepare("SELECT id FROM item WHERE title = ? COLLATE NOCASE"), title, NULL);
  char expression[200];
  snprintf(expression, sizeof expression, "\"%s\"", title);
  lookup(prepare("SELECT rowid FROM item_search WHERE item_search MATCH ? ORDER BY rowid DESC LIMIT 200"), expression, NULL);
}

// What it takes to undo it: as many bytes as the program writes.
static void keep_step(const char *line, int bytes) {
  sqlite3_int64 step = insert(prepare("INSERT INTO step (command, line, at) VALUES ('add', ?, '" NOW "')"), "T", line);
  sqlite3_stmt *part = prepare("INSERT INTO step_change (step_id, part, changes) VALUES (?, ?, zeroblob(?))");
  for (sqlite3_int64 number = 1; bytes > 0; number++, bytes -= 1 << 18)
    insert(part, "iii", step, number, (sqlite3_int64)(bytes < 1 << 18 ? bytes : 1 << 18));
}

// One movie by hand, with a director and a genre.
static void add(const char *title) {
  run("BEGIN IMMEDIATE");
  look_for(title);
  sqlite3_int64 id = insert(prepare(ADD_ITEM), "TTttn", "movie", title, "", sort_title(title), "1959");
  insert(prepare("INSERT INTO movie (item_id) VALUES (?)"), "i", id);
  sqlite3_int64 person = lookup(prepare("SELECT id FROM person WHERE name = ? AND external_id = ''"), "Anna Smith", NULL);
  if (!person) person = insert(prepare(ADD_PERSON), "T", "Anna Smith");
  insert(prepare(ADD_CREDIT), "iiiT", id, (sqlite3_int64)1, person, "director");
  sqlite3_int64 genre = lookup(prepare("SELECT id FROM genre WHERE key = ?"), "drama", NULL);
  insert(prepare(ADD_GENRE), "iii", id, (sqlite3_int64)1, genre);
  index_pending();
  keep_step("add movie --title Measured --creator 'Anna Smith' --genre Drama --year 1959", 130);
  run("COMMIT");
  printf("added %lld\n", (long long)id);
}

enum { KIND, TITLE, ORIGINAL, YEAR, CREATOR, SECOND, GENRE1, GENRE2, GENRE3, SOURCE, SOURCE_ID, CODE, BARCODE, MAKER, COUNTRY,
       AMOUNT, FIELDS };

// The cells of a line of a table, as writeTable (Sources/Filling.swift) orders them, put where a line of things has them. What it
// says of its genres and who is in it is the table's own where no source has an id for the thing.
static void read_row(char *line, char **field) {
  enum { CELL_KIND, CELL_TITLE, CELL_ORIGINAL, CELL_YEAR, CELL_CREATOR, CAST, TRANSLATOR, GENRE, TMDB, OPENLIBRARY, DISCOGS, ISBN,
         CELL_BARCODE, CATALOG_NUMBER, PUBLISHER, LABEL, CELL_COUNTRY, MINUTES, PAGES, OWNED, CELLS };
  char *cell[CELLS], *end = line;
  for (int i = 0; i < CELLS; i++) {
    cell[i] = end;
    if (*end == '"') {
      cell[i] = ++end;
      end += strcspn(end, "\"");
      *end++ = 0;
    } else {
      end += strcspn(end, ",");
    }
    if (*end) *end++ = 0;
  }
  static const char *const sources[] = {"tmdb", "openlibrary", "discogs"};
  memcpy(field, cell, 5 * sizeof *field);
  char *rest = cell[GENRE];
  for (int i = 0; i < 3; i++) field[GENRE1 + i] = rest ? strsep(&rest, ";") : "";
  field[SOURCE] = field[SOURCE_ID] = "";
  for (int i = 0; i < 3; i++)
    if (*cell[TMDB + i]) field[SOURCE] = (char *)sources[i], field[SOURCE_ID] = cell[TMDB + i];
  field[SECOND] = *cell[CAST] ? cell[CAST] : *cell[TRANSLATOR] ? cell[TRANSLATOR] : cell[LABEL];
  field[CODE] = *cell[ISBN] ? cell[ISBN] : cell[CATALOG_NUMBER];
  field[BARCODE] = cell[CELL_BARCODE];
  field[MAKER] = *cell[PUBLISHER] ? cell[PUBLISHER] : cell[LABEL];
  field[COUNTRY] = cell[CELL_COUNTRY];
  field[AMOUNT] = *cell[MINUTES] ? cell[MINUTES] : cell[PAGES];
}

static int64_t fingerprint(const char *text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
  return hash;
}

// Appends a number to base 36.
static void append_digits(char *text, uint64_t number) {
  char digits[14], *first = digits + sizeof digits - 1;
  *first = 0;
  do *--first = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]; while (number /= 36);
  strcat(text, first);
}

#include "matching.h"

// From a list of things or, with a row of import_row for each, from a table. A row of a table that certainly is something on the shelf, or
// a row above, is left out; one of which only a person can tell is a new item.
static void bulk(const char *path, int is_table) {
  FILE *file = fopen(path, "r");
  if (!file) stop(path);
  struct ids people = {0}, labels = {0}, genres = {0};
  sqlite3_stmt *known = prepare("SELECT item_id FROM external_id WHERE source = ? AND value = ?");
  sqlite3_stmt *known_isbn = prepare("SELECT item_id FROM book WHERE isbn13 = ?");
  sqlite3_stmt *add_item = prepare(ADD_ITEM);
  sqlite3_stmt *add_movie = prepare("INSERT INTO movie (item_id, minutes, countries) VALUES (?, ?, ?)");
  sqlite3_stmt *add_book = prepare("INSERT INTO book (item_id, isbn13, publisher, pages) VALUES (?, ?, ?, ?)");
  sqlite3_stmt *add_vinyl = prepare(
      "INSERT INTO vinyl (item_id, label, catalog_number, country, discs, barcode) VALUES (?, ?, ?, ?, ?, ?)");
  sqlite3_stmt *find_person = prepare("SELECT id FROM person WHERE name = ? AND external_id = ''");
  sqlite3_stmt *add_person = prepare(ADD_PERSON);
  sqlite3_stmt *add_credit = prepare(ADD_CREDIT);
  sqlite3_stmt *add_id = prepare(
      "INSERT INTO external_id (source, value, item_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  sqlite3_stmt *find_genre = prepare("SELECT id FROM genre WHERE name = ?");
  sqlite3_stmt *make_label = prepare("INSERT INTO genre_label (source, key, label) VALUES (?, lower(?2), ?2)");
  sqlite3_stmt *make_target = prepare("INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (?, 1, ?)");
  sqlite3_stmt *add_label = prepare("INSERT INTO item_label (item_id, position, label_id) VALUES (?, ?, ?)");
  sqlite3_stmt *add_genre = prepare(ADD_GENRE);
  sqlite3_stmt *add_copy = prepare("INSERT INTO copy (item_id, created_at) VALUES (?, '" NOW "')");
  sqlite3_stmt *add_row = prepare(
      "INSERT INTO import_row (batch_id, line, key, words, fingerprint, outcome, item_id, copies)"
      " VALUES (?, ?, ?, ?, ?, 'added', ?, ?)");
  int items = 0, number = 0;
  if (is_table) read_titles();
  run("PRAGMA cache_size = -32768; BEGIN IMMEDIATE");
  char *line = NULL;
  size_t capacity = 0;
  sqlite3_int64 batch = 0, said = 0;
  if (is_table) {
    batch = insert(prepare("INSERT INTO import_batch (format, file, at) VALUES ('table', ?, '" NOW "')"), "T", path);
    if (getline(&line, &capacity, file) < 0) stop(path);
  }
  while (getline(&line, &capacity, file) > 0) {
    char *field[FIELDS], *rest = line;
    line[strcspn(line, "\n")] = 0;
    number++;
    if (is_table) {
      said = fingerprint(line);
      read_row(line, field);
    } else {
      for (int i = 0; i < FIELDS; i++) field[i] = rest ? strsep(&rest, "\t") : "";
    }
    int is_movie = *field[KIND] == 'm', is_book = *field[KIND] == 'b';
    if (*field[SOURCE] && lookup(known, field[SOURCE], field[SOURCE_ID])) continue;
    if (is_book && *field[CODE] && lookup(known_isbn, field[CODE], NULL)) continue;
    if (is_table &&
        is_row_above(field[KIND], field[TITLE], field[CREATOR], field[YEAR], field[SOURCE], field[SOURCE_ID], field[CODE]))
      continue;
    if (is_table && match(field[KIND], field[TITLE], field[ORIGINAL], field[CREATOR], atoi(field[YEAR]), field[SOURCE]) == CERTAIN)
      continue;
    sqlite3_int64 id = insert(
        add_item, "TTttn", field[KIND], field[TITLE], field[ORIGINAL], sort_title(field[TITLE]), field[YEAR]);
    if (is_movie) insert(add_movie, "int", id, field[AMOUNT], field[COUNTRY]);
    else if (is_book) insert(add_book, "ittn", id, field[CODE], field[MAKER], field[AMOUNT]);
    else insert(add_vinyl, "itttnt", id, field[MAKER], field[CODE], field[COUNTRY], field[AMOUNT], field[BARCODE]);
    for (sqlite3_int64 i = 0; i < 2; i++) {
      const char *name = field[CREATOR + i];
      if (!*name) continue;
      struct entry *entry = find(&people, name);
      if (!entry->key) {
        sqlite3_int64 person = lookup(find_person, name, NULL);
        keep(&people, entry, name, person ? person : insert(add_person, "T", name));
      }
      insert(add_credit, "iiiT", id, i + 1, entry->id,
             i ? (is_movie ? "cast" : is_book ? "translator" : "label") : is_movie ? "director" : is_book ? "author" : "artist");
    }
    if (*field[SOURCE]) insert(add_id, "TTi", field[SOURCE], field[SOURCE_ID], id);
    for (sqlite3_int64 i = 0; i < 3; i++) {
      const char *name = field[GENRE1 + i];
      if (!*name) continue;
      struct entry *genre = find(&genres, name);
      if (!genre->key) keep(&genres, genre, name, lookup(find_genre, name, NULL));
      const char *source = *field[SOURCE] || !is_table ? field[SOURCE] : "table";
      if (*source) {
        char key[200];
        snprintf(key, sizeof key, "%s:%s", source, name);
        struct entry *label = find(&labels, key);
        if (!label->key) {
          keep(&labels, label, key, insert(make_label, "TT", source, name));
          insert(make_target, "ii", label->id, genre->id);
        }
        insert(add_label, "iii", id, i + 1, label->id);
      }
      insert(add_genre, "iii", id, i + 1, genre->id);
    }
    if (!is_movie) insert(add_copy, "i", id);
    if (is_table) {
      char name[600], key[40] = "table ~", words[600];
      snprintf(name, sizeof name, "%s|%s|%s|%s", field[KIND], field[TITLE], field[CREATOR], field[YEAR]);
      for (char *c = name; *c; c++) if (*c >= 'A' && *c <= 'Z') *c |= 0x20;
      append_digits(key, (uint64_t)fingerprint(name));
      snprintf(words, sizeof words, is_movie ? "%s (%s)" : "%s (%s), %s", field[TITLE], field[YEAR], field[CREATOR]);
      insert(add_row, "iiTTiii", batch, (sqlite3_int64)number + 1, key, words, said, id, (sqlite3_int64)!is_movie);
    }
    items++;
  }
  index_pending();
  keep_step(is_table ? "import" : "fill", (is_table ? 170 : 82) * items);
  run("COMMIT");
}

int main(int count, char **words) {
  if (count < 3) return 2;
  const char *operation = words[1], *argument = count > 3 ? words[3] : "";
  int writes = !strcmp(operation, "show") || !strcmp(operation, "add") || !strcmp(operation, "bulk") ||
               !strcmp(operation, "import");
  open_file(words[2], writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
  if (!strcmp(operation, "show")) show(atoll(argument));
  else if (!strcmp(operation, "list")) list(atoll(argument));
  else if (!strcmp(operation, "search")) search(argument);
  else if (!strcmp(operation, "genres")) genres();
  else if (!strcmp(operation, "decades")) decades();
  else if (!strcmp(operation, "query")) print_rows(prepare(argument));
  else if (!strcmp(operation, "listwhere")) list_where(argument);
  else if (!strcmp(operation, "add")) add(argument);
  else if (!strcmp(operation, "bulk")) bulk(argument, 0);
  else if (!strcmp(operation, "import")) bulk(argument, 1);
  else return 2;
  fflush(stdout);
  sqlite3_close(db);
  return 0;
}
