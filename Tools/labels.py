#!/usr/bin/env python3
"""Draws a sample of label uses from recorded data, and says what the program makes of each.

    Tools/labels.py FIXTURES CATALOG [--seed 45] [--count 400] > sample.tsv

FIXTURES is the folder with the recorded answers and exports, CATALOG the program. A use is one label of one item. The items go into a
new catalog with labels that nobody knows yet; the program, which sees labels of an older version there, then gives each its meaning,
reads them beside each other, and the sample asks what came out. docs/genre-labels-sample.tsv has the sample with a judgement of each
use; Tools/labels.py --check FILE counts these.
"""
import argparse, csv, glob, json, os, random, re, sqlite3, subprocess, sys, tempfile, unicodedata
import xml.etree.ElementTree as ET


def uses(folder):
    """Yields (source, kind, item, title, label)."""

    def path(*parts):
        return os.path.join(folder, *parts)

    def load(name):
        with open(path(name), encoding="utf-8") as file:
            return json.load(file)

    # Films of the 2010s from Wikipedia: too many for all of them.
    for number, film in enumerate(load("datasets/wikipedia_movies_2010s.json")):
        for genre in film.get("genres", []):
            yield "wikipedia", "movie", f"wp{number}", film["title"], genre
    # Discogs: masters and releases of a dump, with genres and styles.
    for name in ["dump_20200806_masters_600.xml", "dump_20200806_releases_600.xml"]:
        for number, (_, element) in enumerate(ET.iterparse(path("discogs", name))):
            if element.tag in ("master", "release"):
                title = element.findtext("title") or ""
                for kind in ("genres/genre", "styles/style"):
                    for genre in element.findall(kind):
                        if genre.text:
                            yield "discogs", "vinyl", f"{name}{number}", title, genre.text
    # MusicBrainz.
    releases = []
    with open(path("dumps/mb_release.jsonl"), encoding="utf-8") as file:
        releases += [json.loads(line) for line in file if line.strip()]
    for name in sorted(glob.glob(path("musicbrainz", "release_*.json"))):
        with open(name, encoding="utf-8") as file:
            releases.append(json.load(file))
    for number, release in enumerate(releases):
        group = release.get("release-group") or {}
        for genre in (release.get("genres") or []) + (group.get("genres") or []):
            yield "musicbrainz", "vinyl", f"mb{number}", release.get("title", ""), genre["name"]
    # IMDb.
    with open(path("dumps/imdb_title.basics.tsv"), encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)):
            for genre in (row["genres"] or "").split(","):
                if genre and genre != "\\N":
                    yield "imdb", "movie", f"im{number}", row["primaryTitle"], genre
    with open(path("exports/imdb/imdb_ratings_sample.csv"), encoding="utf-8-sig") as file:
        for number, row in enumerate(csv.DictReader(file)):
            for genre in (row.get("Genres") or row.get("Genre(s)") or "").split(","):
                if genre.strip():
                    yield "imdb", "movie", f"ir{number}", row["Title"], genre.strip()
    # Open Library's works and editions.
    for name in ["ol_dump_works.tsv", "ol_dump_editions.tsv"]:
        with open(path("dumps", name), encoding="utf-8") as file:
            for number, line in enumerate(file):
                try:
                    work = json.loads(line.split("\t")[-1])
                except ValueError:
                    continue
                for subject in work.get("subjects", []):
                    yield "openlibrary", "book", f"{name}{number}", work.get("title", ""), str(subject)
    for name in ["search_lotr.json"]:
        for number, book in enumerate(load("openlibrary/" + name).get("docs", [])):
            for subject in book.get("subject", []):
                yield "openlibrary", "book", f"{name}{number}", book.get("title", ""), subject
    for name in ["work_OL45804W.json", "work_hp_string_description.json"]:
        work = load("openlibrary/" + name)
        for subject in work.get("subjects", []):
            yield "openlibrary", "book", name, work.get("title", ""), subject
    # iTunes and Google Books.
    for name in sorted(glob.glob(path("itunes", "*.json"))):
        with open(name, encoding="utf-8") as file:
            answer = json.load(file)
        for number, thing in enumerate(answer.get("results", []) if isinstance(answer, dict) else []):
            kind = "movie" if thing.get("kind") == "feature-movie" else "book" if thing.get("kind") == "ebook" else "vinyl"
            if thing.get("kind") in ("podcast", "software", "mac-software"):
                continue
            labels = thing.get("genres") or [thing.get("primaryGenreName")]
            for genre in labels:
                if isinstance(genre, str):
                    yield "itunes", kind, f"{name}{number}", thing.get("trackName") or thing.get("collectionName") or "", genre
    for name in sorted(glob.glob(path("googlebooks", "*.json"))):
        with open(name, encoding="utf-8") as file:
            answer = json.load(file)
        for number, volume in enumerate(answer.get("items", [answer])):
            info = volume.get("volumeInfo", {})
            for genre in info.get("categories", []):
                yield "googlebooks", "book", f"{name}{number}", info.get("title", ""), genre
    # TMDB.
    names = {genre["id"]: genre["name"] for genre in load("tmdb/genre_movie_list.json").get("genres", [])}
    for name in sorted(glob.glob(path("tmdb", "*.json"))):
        with open(name, encoding="utf-8") as file:
            answer = json.load(file)
        films = answer.get("results", [answer]) if isinstance(answer, dict) else []
        for number, film in enumerate(film for film in films if isinstance(film, dict)):
            labels = [names.get(id) for id in film.get("genre_ids", [])]
            labels += [genre.get("name") for genre in film.get("genres", []) if isinstance(genre, dict)]
            for genre in labels:
                if genre and film.get("title"):
                    yield "tmdb", "movie", f"{name}{number}", film["title"], genre
    # LibraryThing, calibre, beets.
    for book in load("exports/librarything/librarything.json").values():
        subjects = book.get("subject") or []
        subjects = list(subjects.values()) if isinstance(subjects, dict) else subjects
        for label in (book.get("tags") or []) + [x for part in subjects for x in (part if isinstance(part, list) else [part])]:
            yield "librarything", "book", "lt" + str(book.get("books_id")), book.get("title", ""), str(label)
    db = sqlite3.connect(f"file:{path('exports/calibre/metadata_15_books.db')}?mode=ro&immutable=1", uri=True)
    query = "SELECT book, title, name FROM books_tags_link JOIN tags ON tags.id = tag JOIN books ON books.id = book"
    for book, title, tag in db.execute(query):
        yield "calibre", "book", f"ca{book}", title, tag
    db = sqlite3.connect(f"file:{path('exports/beets/library.blb')}?mode=ro&immutable=1", uri=True)
    for album, title, genre in db.execute("SELECT id, album, genre FROM albums WHERE genre <> ''"):
        for label in re.split(r"[,;/]\s*", genre):
            yield "beets", "vinyl", f"be{album}", title, label
    # Shelves of Goodreads: tags of ten thousand popular books, by how often readers used them.
    with open(path("datasets/goodbooks10k_tags.csv"), encoding="utf-8") as file:
        tags = {row["tag_id"]: row["tag_name"] for row in csv.DictReader(file)}
    with open(path("datasets/goodbooks10k_books_1_6000.csv"), encoding="utf-8") as file:
        titles = {row["goodreads_book_id" if "goodreads_book_id" in row else "book_id"]: row["title"] for row in csv.DictReader(file)}
    with open(path("datasets/goodbooks10k_sample_book_tags.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            book = row["goodreads_book_id"]
            yield "goodreads", "book", "gr" + book, titles.get(book, ""), tags.get(row["tag_id"], "")


def key(text):
    """The key by which the program looks a label up; a rough one is enough, for it is only to be unique here."""
    text = unicodedata.normalize("NFKD", text.casefold().replace("&", " and "))
    return "".join(re.findall(r"\w+", "".join(c for c in text if not unicodedata.combining(c))))


def judge(folder, program, seed, count):
    everything = sorted(set(uses(folder)))
    by_source = {}
    for use in everything:
        by_source.setdefault(use[0], []).append(use)
    # At random within each source; the parts are those of what people have, as far as the recorded data goes.
    dice = random.Random(seed)
    parts = {"discogs": 90, "wikipedia": 70, "openlibrary": 70, "musicbrainz": 40, "tmdb": 30, "librarything": 30, "itunes": 30}
    chosen, rest = [], []
    for source in sorted(by_source):
        dice.shuffle(by_source[source])
        share = parts.get(source, 12) * count // 400
        chosen += by_source[source][:share]
        rest += by_source[source][share:]
    dice.shuffle(chosen)
    chosen = chosen[:count]
    if len(chosen) < count:
        dice.shuffle(rest)
        chosen += rest[: count - len(chosen)]
    items = {}
    wanted = {use[2] for use in chosen}
    for source, kind, item, title, label in everything:
        if item in wanted:
            items.setdefault((source, kind, item, title), []).append(label)
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "labels.db")
        run = lambda *words: subprocess.run(
            [program, "--db", path, "--offline", "--yes", *words], check=True, stdout=subprocess.DEVNULL,
            env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home})
        run("add", "movie", "--title", "x")
        db = sqlite3.connect(path)
        db.execute("UPDATE setting SET value = 'old' WHERE name = 'labels'")
        for trigger, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            # They keep what the program keeps; the labels below are plain rows.
            if "label" not in trigger:
                db.execute(f'DROP TRIGGER "{trigger}"') if trigger.startswith("item_search") else None
        number = {}
        now = "2026-01-01T00:00:00Z"
        ids = {}
        for place, ((source, kind, item, title), labels) in enumerate(items.items(), 100):
            ids[(source, kind, item, title)] = place
            db.execute("INSERT INTO item (id, kind, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
                       (place, kind, title or "?", now, now))
            db.execute(f"INSERT INTO {kind} (item_id) VALUES (?)", (place,))
            for position, label in enumerate(dict.fromkeys(labels), 1):
                name = (source, kind, key(label) or label)
                if name not in number:
                    number[name] = db.execute(
                        "INSERT INTO genre_label (source, kind, key, label, is_known) VALUES (?, ?, ?, ?, 0)",
                        (*name, label)).lastrowid
                db.execute("INSERT INTO item_label (item_id, position, label_id) VALUES (?, ?, ?)",
                           (place, position, number[name]))
        db.commit()
        db.close()
        run("genre", "rename", "Utilities", "Utilities and Tools")
        db = sqlite3.connect(path)
        out = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
        out.writerow(["source", "kind", "label", "title", "genres", "item", "verdict", "reason"])
        names = lambda query, id: ", ".join(row[0] for row in db.execute(query, (id,)))
        for source, kind, item, title, label in chosen:
            id = number[(source, kind, key(label) or label)]
            known = db.execute("SELECT is_known FROM genre_label WHERE id = ?", (id,)).fetchone()[0]
            means = names("SELECT name FROM genre_label_target JOIN genre ON genre.id = genre_id WHERE label_id = ? ORDER BY position", id)
            has = names("SELECT name FROM item_genre JOIN genre ON genre.id = genre_id WHERE item_id = ? ORDER BY position", ids[(source, kind, item, title)])
            out.writerow([source, kind, label, title[:60], means or ("(noise)" if known else "(unknown)"), has, "", ""])


def check(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    mapped = [row for row in rows if not row["genres"].startswith("(")]
    right = [row for row in mapped if row["verdict"] == "right"]
    assert all(row["verdict"] in ("right", "wrong", "noise", "unknown") and row["reason"] for row in rows), "a use is not judged"
    count = lambda word: sum(row["verdict"] == word for row in rows)
    print(f"{len(rows)} uses, {len(mapped)} mapped: {len(right)} right ({100 * len(right) / len(mapped):.1f} %), "
          f"{count('noise')} noise, {count('unknown')} unknown")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fixtures", nargs="?")
    parser.add_argument("catalog", nargs="?")
    parser.add_argument("--seed", type=int, default=45)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--check", metavar="FILE")
    options = parser.parse_args()
    if options.check:
        check(options.check)
    else:
        judge(options.fixtures, options.catalog, options.seed, options.count)
