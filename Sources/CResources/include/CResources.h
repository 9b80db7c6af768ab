// Files of this project that are compiled into the program, as bytes.
#ifndef CATALOG_CRESOURCES_H
#define CATALOG_CRESOURCES_H
#include <stddef.h>

/// The canonical genre tree: Data/genres.txt.
extern const unsigned char catalog_genres[];
extern const size_t catalog_genres_count;

/// What the sources' genre labels mean: Data/genre-labels.txt.
extern const unsigned char catalog_genre_labels[];
extern const size_t catalog_genre_labels_count;

/// The starter pack: Data/pack.tsv.
extern const unsigned char catalog_pack[];
extern const size_t catalog_pack_count;

#endif
