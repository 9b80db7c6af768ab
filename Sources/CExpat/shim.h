// Debian: libexpat1-dev.
#include <expat.h>
