#include "CResources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

const unsigned char catalog_genres[] = {
#embed "../../Data/genres.txt"
};
const size_t catalog_genres_count = sizeof catalog_genres;

const unsigned char catalog_genre_labels[] = {
#embed "../../Data/genre-labels.txt"
};
const size_t catalog_genre_labels_count = sizeof catalog_genre_labels;

const unsigned char catalog_pack[] = {
#embed "../../Data/pack.tsv"
};
const size_t catalog_pack_count = sizeof catalog_pack;
