// Files of this project that are compiled into the program, as bytes.
#ifndef CATALOG_CRESOURCES_H
#define CATALOG_CRESOURCES_H
#include <stddef.h>

/// The bytes of a file, which live as long as the program.
typedef struct {
  const void *start;
  size_t count;
} catalog_resource;

/// The canonical genre tree: Data/genres.txt.
catalog_resource catalog_genres(void);

/// What the sources' genre labels mean: Data/genre-labels.txt.
catalog_resource catalog_genre_labels(void);

/// The names in JSON: Data/json-names.txt.
catalog_resource catalog_json_names(void);

/// The starter pack: Data/pack.tsv.
catalog_resource catalog_pack(void);

/// The names of countries: Data/countries.txt.
catalog_resource catalog_countries(void);

/// The names of languages: Data/languages.txt.
catalog_resource catalog_languages(void);

/// The words of values in all languages: Data/values.tsv.
catalog_resource catalog_values(void);

/// The names of people in several scripts: Data/people.tsv.
catalog_resource catalog_people(void);

/// The headings of columns in files, in all languages: Data/headings.tsv.
catalog_resource catalog_headings(void);

/// The columns of files of other programs: Data/formats.tsv.
catalog_resource catalog_formats(void);

/// The letters of languages, for judging encodings: Data/encodings.tsv.
catalog_resource catalog_encodings(void);

/// What the program says, in Korean: Data/messages/ko.po.
catalog_resource catalog_messages_ko(void);

/// The page of the program that a release was built with; empty without one.
const char *catalog_homepage(void);

#endif
