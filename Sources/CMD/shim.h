// Debian: libmd-dev.
#include <sha2.h>
