#include "CResources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define RESOURCE(bytes) ((catalog_resource){bytes, sizeof bytes})

static const unsigned char genres[] = {
#embed "../../Data/genres.txt"
};
catalog_resource catalog_genres(void) { return RESOURCE(genres); }

static const unsigned char genre_labels[] = {
#embed "../../Data/genre-labels.txt"
};
catalog_resource catalog_genre_labels(void) { return RESOURCE(genre_labels); }

static const unsigned char json_names[] = {
#embed "../../Data/json-names.txt"
};
catalog_resource catalog_json_names(void) { return RESOURCE(json_names); }

static const unsigned char pack[] = {
#embed "../../Data/pack.tsv"
};
catalog_resource catalog_pack(void) { return RESOURCE(pack); }

static const unsigned char countries[] = {
#embed "../../Data/countries.txt"
};
catalog_resource catalog_countries(void) { return RESOURCE(countries); }

static const unsigned char languages[] = {
#embed "../../Data/languages.txt"
};
catalog_resource catalog_languages(void) { return RESOURCE(languages); }

static const unsigned char values[] = {
#embed "../../Data/values.tsv"
};
catalog_resource catalog_values(void) { return RESOURCE(values); }

static const unsigned char people[] = {
#embed "../../Data/people.tsv"
};
catalog_resource catalog_people(void) { return RESOURCE(people); }

static const unsigned char headings[] = {
#embed "../../Data/headings.tsv"
};
catalog_resource catalog_headings(void) { return RESOURCE(headings); }

static const unsigned char formats[] = {
#embed "../../Data/formats.tsv"
};
catalog_resource catalog_formats(void) { return RESOURCE(formats); }

static const unsigned char encodings[] = {
#embed "../../Data/encodings.tsv"
};
catalog_resource catalog_encodings(void) { return RESOURCE(encodings); }

static const unsigned char messages_ko[] = {
#embed "../../Data/messages/ko.po"
};
catalog_resource catalog_messages_ko(void) { return RESOURCE(messages_ko); }

#ifndef CATALOG_HOMEPAGE
#define CATALOG_HOMEPAGE ""
#endif
const char *catalog_homepage(void) { return CATALOG_HOMEPAGE; }
