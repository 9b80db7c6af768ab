// Runs commands in turn, again and again, and prints the medians of each:
//
//     measure 21 --next catalog --version --next empty
//
// prints, for each command, a line of: wall ms, user+system ms, peak memory in KiB, exit status.
// '{n}' in a command is a number that grows with every run. Its output goes into a pipe that is read and thrown away. This is C
// because a child's peak memory, as Linux counts it, includes what its parent had when it was started.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { most_commands = 16, most_runs = 1001 };
struct sample { double wall, cpu; };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *numbers, int count) {
  qsort(numbers, count, sizeof *numbers, by_number);
  return count % 2 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

// The word with the number of this run in it, where it has a place for one.
static char *numbered(char *word) {
  static long number = 0;
  char *place = strstr(word, "{n}"), *result;
  if (!place || asprintf(&result, "%.*s%ld%s", (int)(place - word), word, ++number, place + 3) < 0) return word;
  return result;
}

static int run(char **given, double *wall, double *cpu, long *peak) {
  static char buffer[1 << 16];
  enum { most_words = 63 };
  char *words[most_words + 1] = {0};
  for (int i = 0; i < most_words && given[i]; i++) words[i] = numbered(given[i]);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  double start = now();
  pid_t pid;
  int failed = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
  close(ends[1]);
  if (!failed) while (read(ends[0], buffer, sizeof buffer) > 0) {}
  close(ends[0]);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return 127;
  int status;
  struct rusage usage;
  wait4(pid, &status, 0, &usage);
  *wall = now() - start;
  *cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
  if (usage.ru_maxrss > *peak) *peak = usage.ru_maxrss;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **words) {
  static double walls[most_commands][most_runs], cpus[most_commands][most_runs];
  char **commands[most_commands];
  long peaks[most_commands] = {0};
  int statuses[most_commands] = {0}, commandCount = 0;
  int runs = count > 1 ? atoi(words[1]) : 0;
  for (int i = 2; i < count; i++) {
    if (strcmp(words[i], "--next")) continue;
    words[i] = NULL;
    if (commandCount < most_commands) commands[commandCount++] = words + i + 1;
  }
  if (runs < 1 || runs > most_runs || !commandCount) {
    fprintf(stderr, "use: measure RUNS --next COMMAND… --next COMMAND…\n");
    return 2;
  }
  // One round first that does not count, to fill the page cache.
  for (int round = -1; round < runs; round++)
    for (int i = 0; i < commandCount; i++) {
      double wall = 0, cpu = 0;
      int status = run(commands[i], &wall, &cpu, &peaks[i]);
      if (status) statuses[i] = status;
      if (round < 0) continue;
      walls[i][round] = wall;
      cpus[i][round] = cpu;
    }
  for (int i = 0; i < commandCount; i++)
    printf("%.4f\t%.4f\t%ld\t%d\n", median(walls[i], runs), median(cpus[i], runs), peaks[i], statuses[i]);
  return 0;
}
