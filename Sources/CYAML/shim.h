// Debian: libyaml-dev.
#include <yaml.h>
