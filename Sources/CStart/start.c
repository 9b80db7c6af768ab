#include "CStart.h"

#include <stdlib.h>

// What the program was started with, as the C library hands it to whatever runs before main. Swift's own CommandLine reads
// /proc, which a chroot or a container need not have.

static char *none[] = {NULL};
static int word_count = 0;
static char **words = none;
static char **environment = none;

int start_word_count(void) { return word_count; }
char **start_words(void) { return words; }
char **start_environment(void) { return environment; }

// Before the constructors without a number, which Swift's are.
__attribute__((constructor(101))) static void keep(int argc, char **argv, char **envp) {
  word_count = argc;
  words = argv;
  environment = envp;
#if !DEBUG
  // Before main Swift's runtime looks for the program that prints a trace of a crash, beside our own. Where the system does not
  // say where that is, without /proc or from a disk that fails, a static program aborts ("Unable to obtain Swift runtime path").
  // Told where the tracer is, the runtime does not look. There is none.
  setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/nowhere", 0);
#endif
}
