#!/usr/bin/env python3
"""Computes the numbers of `catalog genres` once more, from the tables alone, and compares them with the program's.

    Tools/genres.py PROGRAM [--catalogs 20] [--items 400] [--seed 1]

It makes catalogs of random films, books and records, some with a diary, ratings, favorites, copies and wishes,
and lists every number that differs. Only the standard library is used; docs/genre-mathematics.md has the definitions.
"""

import argparse, csv, json, math, os, random, sqlite3, subprocess, tempfile
from collections import Counter, defaultdict
from datetime import date, timedelta
from fractions import Fraction

GENRES = {
    "movie": ["Drama", "Comedy", "Horror", "Thriller", "Documentary", "Animation", "Western", "Romance"],
    "book": ["Fantasy", "Mystery", "History", "Philosophy", "Poetry", "Horror", "Romance", "Science Fiction"],
    "vinyl": ["Jazz", "Rock", "Soul", "Hard Bop", "Folk", "Ambient", "Classical", "Punk"],
}


def make_table(path, rng, items, today):
    """Writes a table of random items. A kind has a diary in two of three catalogs."""
    lived = {kind: rng.random() < 0.66 for kind in GENRES}
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["Kind", "Title", "Year", "Creator", "Genre", "Rating", "Date Watched", "Owned", "Date Added", "Favorite"])
        for number in range(items):
            kind = rng.choices(list(GENRES), [4, 3, 2])[0]
            genres = rng.sample(GENRES[kind], rng.choices([0, 1, 2, 3, 4], [1, 6, 5, 3, 1])[0])
            if genres and rng.random() < 0.3:
                # Some genres belong together, and some come late.
                genres = sorted({GENRES[kind][0], GENRES[kind][1], genres[0]})
            day = today - timedelta(days=int(rng.random() ** (3 if GENRES[kind][2] in genres else 1.5) * 1800))
            added = today - timedelta(days=int(rng.random() * 1800))
            seen = day.isoformat() if lived[kind] and rng.random() < 0.7 else ""
            rating = rng.choice([2, 2.5, 3, 3.5, 4, 4.5, 5]) if rng.random() < 0.6 else ""
            table.writerow([
                kind, f"{kind} {number}", rng.randint(1950, 2025), f"Maker {rng.randint(1, 80)}", ";".join(genres), rating,
                seen, "yes" if rng.random() < 0.5 else "", added.isoformat(), "yes" if rng.random() < 0.1 else ""])


class Catalog:
    """The tables of a catalog, and what docs/genre-mathematics.md derives from them."""

    def __init__(self, path, today):
        self.today = today
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        db.row_factory = sqlite3.Row
        read = lambda sql: db.execute(sql).fetchall()
        self.items = {row["id"]: row for row in read("SELECT id, kind, year, created_at FROM item")}
        self.names = {row["id"]: row["name"] for row in read("SELECT id, name FROM genre")}
        self.parents = {row["id"]: row["parent_id"] for row in read("SELECT id, parent_id FROM genre")}
        self.entries = read("SELECT * FROM log_entry")
        self.cards = read("SELECT * FROM card")
        self.favorites = {row["item_id"] for row in read("SELECT item_id FROM favorite")}
        self.copies = {row["item_id"] for row in read("SELECT item_id FROM copy")}
        self.wishes = {row["item_id"] for row in read("SELECT item_id FROM wish WHERE item_id NOTNULL AND fulfilled_at IS NULL")}
        self.work = {row["item_id"]: row["work_id"] for row in read("SELECT * FROM edition_of")}
        self.synonyms = {
            frozenset((a["genre_id"], b["genre_id"]))
            for rows in self.grouped(read("SELECT label_id, genre_id FROM genre_label_target"), "label_id").values()
            for a in rows for b in rows}
        self.imports = set()
        for row in read("SELECT at FROM import_batch"):
            for seconds in range(3):
                self.imports.add(db.execute("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', ?, ?)", (row["at"], f"+{seconds} seconds")).fetchone()[0])
        own = defaultdict(set)
        for row in read("SELECT item_id, genre_id FROM item_genre"):
            own[row["item_id"]].add(row["genre_id"])
        self.own = own
        self.rate()
        self.select()

    @staticmethod
    def grouped(rows, key):
        groups = defaultdict(list)
        for row in rows:
            groups[row[key]].append(row)
        return groups

    def above(self, genre):
        """The genre and all those above it."""
        line = []
        while genre is not None and genre not in line:
            line.append(genre)
            genre = self.parents[genre]
        return line

    def branch(self, genre):
        line = self.above(genre)
        return line[-2] if len(line) > 1 else line[-1]

    def is_heading(self, genre):
        return self.parents[genre] is None and genre in self.parents.values()

    def rate(self):
        ended = {entry["card_id"]: entry["ended_on"] for entry in self.entries if entry["card_id"]}
        best = {}
        for card in self.cards:
            if card["rating"] is None:
                continue
            day = ended.get(card["id"]) or card["seen_on"] or card["created_at"][:10]
            key = (day, card["created_at"], card["rating"], card["comment"] or "", card["id"])
            if card["item_id"] not in best or key > best[card["item_id"]][0]:
                best[card["item_id"]] = (key, card["rating"])
        self.rating = {item: rating for item, (_, rating) in best.items()}

    def select(self):
        """The items that the report is about, one edition of each work, with the day on which each came."""
        done = {}
        logged = {entry["card_id"] for entry in self.entries if entry["card_id"]}
        events = [(e["item_id"], e["ended_on"]) for e in self.entries if e["outcome"] == "done"]
        events += [(c["item_id"], c["seen_on"]) for c in self.cards if c["seen_on"] and c["id"] not in logged]
        for item, day in events:
            done[item] = max(filter(None, (done.get(item), day)), default=None)
        here = [i for i in self.items if not (i in self.wishes and i not in self.copies and i not in done)]
        size, lived = Counter(), Counter()
        for item in here:
            size[self.items[item]["kind"]] += 1
            lived[self.items[item]["kind"]] += item in done
        self.lived = {kind for kind in size if 4 * lived[kind] >= size[kind]}
        came = {}
        for item in here:
            row = self.items[item]
            if row["kind"] in self.lived:
                if item in done:
                    came[item] = done[item]
            else:
                came[item] = None if row["created_at"] in self.imports else row["created_at"]
        works = defaultdict(list)
        for item in came:
            work = self.work.get(item, item if item in self.work.values() else None)
            if work is not None:
                works[work].append(item)
        for editions in works.values():
            editions.sort(key=lambda i: (i not in done, i not in self.rating, self.items[i]["created_at"], i))
            for other in editions[1:]:
                del came[other]
        # A hundred things of one day were imported.
        days = Counter((self.items[i]["kind"], day[:10]) for i, day in came.items() if day and len(day) >= 10)
        self.came = {
            i: None if day and days[self.items[i]["kind"], day[:10]] >= 100 else day for i, day in came.items()}
        self.kind = {i: self.items[i]["kind"] for i in self.came}
        self.all = {i: {a for g in self.own[i] for a in self.above(g)} for i in self.came}
        self.lowest = {
            i: {g for g in self.own[i] if not any(g in self.above(o) for o in self.own[i] if o != g)} for i in self.came}

    # What the report says.

    def recent(self, item):
        day = self.came[item]
        if not day or len(day) < 10:
            return None
        return day[:10] >= (self.today - timedelta(days=365)).isoformat()

    def genres(self):
        named = [i for i in self.came if self.own[i]]
        judged = {i for i in self.came if i in self.rating or i in self.favorites}
        loved = {i for i in judged if self.rating.get(i, 0) >= 80 or i in self.favorites}
        means, love = {}, {}
        for kind in set(self.kind.values()):
            rated = [self.rating[i] for i in self.came if self.kind[i] == kind and i in self.rating]
            means[kind] = sum(rated) / len(rated) if rated else None
            mine = [i for i in judged if self.kind[i] == kind]
            love[kind] = len([i for i in mine if i in loved]) / len(mine) if mine else 0
        strata = defaultdict(list)
        for item in named:
            if self.recent(item) is not None:
                strata[self.kind[item], min(6, len(self.own[item]))].append(item)
        strata = {key: items for key, items in strata.items() if len({self.recent(i) for i in items}) == 2}
        tells = {kind: effect is not None for kind, (effect, _) in self.runs()[0].items()}
        result = {}
        for genre in {g for genres in self.all.values() for g in genres}:
            items = [i for i in self.came if genre in self.all[i]]
            rated = [i for i in items if i in self.rating]
            mine = [i for i in items if i in judged]
            expected = sum(love[self.kind[i]] for i in mine)
            x, e, d, w, tables = 0, 0.0, 0.0, 0.0, []
            for (members_kind, _), members in strata.items():
                r = sum(self.recent(i) for i in members)
                b = len(members) - r
                with_it = [i for i in members if genre in self.all[i]]
                hit = sum(self.recent(i) for i in with_it)
                x, e, w = x + hit, e + len(with_it) * r / len(members), w + r * b / (r + b)
                d += (hit * b - (len(with_it) - hit) * r) / (r + b)
                if tells[members_kind]:
                    tables.append((len(members), r, len(with_it)))
            quotient = 10 * expected / len(mine) if mine else 0
            row = {
                "items": len(items), "own_items": sum(genre in self.own[i] for i in self.came),
                "share": len(items) / len(named),
                "weight": sum(1 / len(self.lowest[i]) for i in self.came if genre in self.lowest[i]) / len(named),
                "rated": len(rated), "mean_rating": mean([self.rating[i] for i in rated]),
                "shrunk_rating": (10 * mean([means[self.kind[i]] for i in rated]) + sum(self.rating[i] for i in rated)) / (10 + len(rated)) if rated else None,
                "judged": len(mine), "loved": sum(i in loved for i in mine),
                "affinity": (quotient + sum(i in loved for i in mine)) / (quotient + expected) if len(mine) >= 5 and expected else None,
                "momentum": 100 * d / w if w else None, "recent_items": x, "recent_expected": e if w else None}
            row["momentum_exact"] = tables, sum(
                self.recent(i) for key, members in strata.items() if tells[key[0]] for i in members if genre in self.all[i])
            result[self.names[genre]] = row
        return result

    def pairs(self):
        size, own, together = Counter(), Counter(), Counter()
        for item in self.came:
            mine, kind = self.own[item], self.kind[item]
            if len(mine) < 2:
                continue
            size[kind, len(mine)] += 1
            for genre in mine:
                own[kind, len(mine), genre] += 1
            for a in mine:
                for b in mine:
                    if a < b:
                        together[kind, len(mine), a, b] += 1
        even = {}
        for kind in GENRES:
            widths = [len(self.own[i]) for i in self.came if self.kind[i] == kind and self.own[i]]
            counts = Counter(g for i in self.came if self.kind[i] == kind for g in self.own[i])
            if widths:
                spread = sum(w * w for w in widths) / len(widths) - (sum(widths) / len(widths)) ** 2
                if spread <= sum(c * (len(widths) - c) for c in counts.values()) / len(widths) ** 2 + 1e-9:
                    even[kind] = len(widths), counts
        found = defaultdict(int)
        for (_, _, a, b), count in together.items():
            found[a, b] += count
        result = {}
        for (a, b), count in found.items():
            if count < 3 or a in self.above(b) or b in self.above(a) or frozenset((a, b)) in self.synonyms:
                continue
            expected = 0.0
            expected += sum(counts[a] * counts[b] / n for n, counts in even.values())
            for (kind, width), n in size.items():
                if kind in even:
                    continue
                x, y = own[kind, width, a], own[kind, width, b]
                if x and y:
                    expected += x * y / max((width * n - max(x, y)) // (width - 1), x, y)
            result[frozenset((self.names[a], self.names[b]))] = count, expected
        return result

    def runs(self):
        """How unevenly the genres of each kind come, and what each genre's evidence is divided by."""
        kinds, effects = {}, defaultdict(list)
        for kind in GENRES:
            items = [i for i in self.came if self.kind[i] == kind and self.own[i] and self.recent(i) is not None]
            if not items:
                continue
            block = {i: max(0, (self.today - date.fromisoformat(self.came[i][:10])).days) // 30 for i in items}
            width = {i: min(6, len(self.own[i])) for i in items}
            size, window, strata = Counter(block.values()), Counter(b // 12 for b in block.values()), Counter(width.values())

            def near(values):
                return sum(
                    v * (v + sum(f * values.get(b + s, 0) for s, f in ((1, 4 / 3), (2, 2 / 3)) if (b + s) // 12 == b // 12))
                    for b, v in values.items())
            spread = sum(n - near({b: c for b, c in size.items() if b // 12 == y}) / n for y, n in window.items())
            genre_squares, genre_variance, count = {}, {}, Counter()
            for genre in {g for i in items for g in self.all[i]}:
                mine = [i for i in items if genre in self.all[i]]
                count[genre] = len(mine)
                share = {w: sum(width[i] == w for i in mine) / n for w, n in strata.items()}
                genre_variance[genre] = sum(n * share[w] * (1 - share[w]) for w, n in strata.items()) / len(items)
                surplus = Counter()
                for i in items:
                    surplus[block[i]] += (genre in self.all[i]) - share[width[i]]
                whole = Counter()
                for b, s in surplus.items():
                    whole[b // 12] += s
                genre_squares[genre] = near({b: s - size[b] * whole[b // 12] / window[b // 12] for b, s in surplus.items()})
            named = [g for g in genre_squares if not self.is_heading(g)]
            below = sum(genre_variance[g] for g in named) * spread
            effect = sum(genre_squares[g] for g in named) / below if below > 0 else 1
            tells = len(size) - len(window) >= 8
            kinds[kind] = effect if tells else None, max(1, math.floor(len(items) / (1 + 1.25 * (max(1, effect) - 1)) + 0.5))
            for genre, n in count.items():
                by_chance = genre_variance[genre] * spread
                freedom = 1 / (1 / len(size) + 1 / (2 * n))
                own = (40 * effect + freedom * genre_squares[genre] / by_chance) / (40 + freedom) if by_chance > 0 else effect
                effects[genre].append((n * (1 - n / len(items)), max(1, own)))
        mean = lambda rows: sum(w * d for w, d in rows) / sum(w for w, _ in rows) if sum(w for w, _ in rows) > 0 else 1
        return kinds, {self.names[g]: 1 + 1.25 * (mean(rows) - 1) for g, rows in effects.items()}

    def branches(self, items):
        weights = Counter()
        for item in items:
            for genre in self.lowest[item]:
                weights[self.branch(genre)] += 1 / len(self.lowest[item])
        return weights

    def diversity(self):
        named = [i for i in self.came if self.own[i]]
        n = len(named)
        weights = {b: w / n for b, w in self.branches(named).items()}
        present = Counter(b for i in named for b in {self.branch(g) for g in self.lowest[i]})
        c = max(1 / n, 1 - sum(w for b, w in weights.items() if present[b] == 1))
        h = -sum(c * w * math.log(c * w) / (1 - (1 - c * present[b] / n) ** n) for b, w in weights.items())
        tree = {self.branch(g) for g in self.parents}
        return min(math.exp(h), len(tree)), 1 - sum(w * w for w in weights.values())

    def drift(self):
        groups = defaultdict(list)
        for item, day in self.came.items():
            if day and self.own[item]:
                groups[int(day[:4]), self.kind[item]].append(item)
        years = sorted({year for year, _ in groups})
        result = {}
        for before, year in zip(years, years[1:]):
            total, weight = 0.0, 0.0
            for kind in GENRES:
                now, then = groups.get((year, kind)), groups.get((before, kind))
                if not now or not then:
                    continue
                w = len(now) * len(then) / (len(now) + len(then))
                p, q = self.branches(now), self.branches(then)
                distance = 0.0
                for branch in set(p) | set(q):
                    a, b = p[branch] / len(now), q[branch] / len(then)
                    distance += (a * math.log2(2 * a / (a + b)) if a else 0) + (b * math.log2(2 * b / (a + b)) if b else 0)
                total, weight = total + w * distance / 2, weight + w
            result[year] = total / weight if weight else None
        return result

    def kinds(self):
        weights, counts, sizes = {}, {}, Counter()
        for kind in GENRES:
            items = [i for i in self.came if self.kind[i] == kind and self.own[i]]
            weights[kind], sizes[kind] = self.branches(items), len(items)
            counts[kind] = Counter(b for i in items for b in {self.branch(g) for g in self.lowest[i]})
        result = {}
        for a in GENRES:
            for b in GENRES:
                if a < b and sizes[a] and sizes[b]:
                    norm = lambda k: math.sqrt(sum(w * w for w in weights[k].values()))
                    shared = [g for g in weights[a] if counts[a][g] >= 3 and counts[b][g] >= 3]
                    result[a, b] = sum(weights[a][g] * weights[b][g] for g in shared) / norm(a) / norm(b)
        return result


def mean(values):
    return sum(values) / len(values) if values else None


def divided(p, items):
    """The chance that is left where so many items count as one."""
    low, high = 0.0, 40.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle) > p else (low, middle)
    return math.erfc(low / math.sqrt(items)) if items > 1 and p < 1 else p


def two_sided(tables, x):
    """Twice the smaller tail of a sum of hypergeometric numbers, exactly."""
    ways = {0: Fraction(1)}
    for n, r, m in tables:
        whole = math.comb(n, r)
        ways_here = {k: Fraction(math.comb(m, k) * math.comb(n - m, r - k), whole) for k in range(max(0, r + m - n), min(r, m) + 1)}
        total = defaultdict(Fraction)
        for a, p in ways.items():
            for b, q in ways_here.items():
                total[a + b] += p * q
        ways = total
    low = sum(p for k, p in ways.items() if k <= x)
    high = sum(p for k, p in ways.items() if k >= x)
    return float(min(1, 2 * min(low, high)))


class Comparison:
    def __init__(self):
        self.numbers, self.differences = Counter(), []

    def check(self, what, place, said, own, tolerance=1e-9):
        self.numbers[what] += 1
        if said is None or own is None:
            same = said is own
        else:
            same = abs(said - own) <= tolerance * max(1, abs(own))
        if not same:
            self.differences.append(f"{place}: {what} is {said}, and here {own}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("program")
    arguments.add_argument("--catalogs", type=int, default=20)
    arguments.add_argument("--items", type=int, default=400)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    comparison = Comparison()
    for seed in range(options.seed, options.seed + options.catalogs):
        with tempfile.TemporaryDirectory() as home:
            rng, today = random.Random(seed), date.today()
            table, path = os.path.join(home, "table.csv"), os.path.join(home, "catalog.db")
            make_table(table, rng, options.items, today)
            environment = {"HOME": home, "PATH": os.environ["PATH"], "TZ": "UTC"}
            run = lambda *words, check=True: subprocess.run(
                [options.program, "--db", path, *words], env=environment, capture_output=True, text=True, check=check).stdout
            run("import", "--yes", "--no-lookup", table)
            for item in rng.sample(range(1, options.items), 10):
                # What is owned or seen cannot be wished for without a question.
                run("wish", str(item), check=False)
            report, catalog = json.loads(run("genres", "--json")), Catalog(path, today)
            compare(report, catalog, comparison, f"catalog {seed}")
    for what, count in sorted(comparison.numbers.items()):
        print(f"{count:8} {what}")
    for line in comparison.differences[:50]:
        print(line)
    print(f"{sum(comparison.numbers.values())} numbers compared, {len(comparison.differences)} differ (seed {options.seed})")
    raise SystemExit(1 if comparison.differences else 0)


def compare(report, catalog, comparison, place):
    check = comparison.check
    check("items", place, report["items"], len(catalog.came))
    check("items_with_genre", place, report["items_with_genre"], sum(bool(catalog.own[i]) for i in catalog.came))
    for part in report["of"]:
        mine = [i for i in catalog.came if catalog.kind[i] == part["kind"]]
        check("of: items", f"{place}, {part['kind']}", part["items"], len(mine))
        check("of: dated", f"{place}, {part['kind']}", part["dated"], sum(catalog.came[i] is not None for i in mine))
    runs, effects = catalog.runs()
    for part in report["of"]:
        effect, count = runs.get(part["kind"], (None, None))
        check("of: runs", f"{place}, {part['kind']}", part["runs"], effect)
        check("of: count_as", f"{place}, {part['kind']}", part["count_as"], count)
    genres = catalog.genres()
    said = {row["genre"]: row for row in report["genres"]}
    check("genres", place, len(said), len(genres))
    for name, own in genres.items():
        for field, value in own.items():
            if field == "momentum_exact":
                p = said[name]["momentum_p"]
                if p is not None:
                    # Above 6 %, from the normal distribution.
                    exact = two_sided(*value)
                    check("momentum_p", f"{place}, {name}", p, divided(exact, effects[name]), 1e-9 if exact < 0.06 else 0.02)
            else:
                check(field, f"{place}, {name}", said[name][field], value)
    pairs = catalog.pairs()
    for row in report["pairs"]:
        together, expected = pairs[frozenset((row["genre"], row["other"]))]
        check("together", f"{place}, {row['genre']} and {row['other']}", row["together"], together)
        check("expected", f"{place}, {row['genre']} and {row['other']}", row["expected"], expected)
    effective, gini = catalog.diversity()
    check("effective_branches", place, report["effective_branches"], effective)
    check("gini_simpson", place, report["gini_simpson"], gini)
    drift = catalog.drift()
    for row in report["drift"]:
        if row.get("drift") is not None or row["year"] in drift:
            check("drift", f"{place}, {row['year']}", row.get("drift"), drift.get(row["year"]))
    kinds = catalog.kinds()
    for row in report["kinds"]:
        key = tuple(sorted((row["kind"], row["other"])))
        check("similarity", f"{place}, {' and '.join(key)}", row["similarity"], kinds[key])


main()
