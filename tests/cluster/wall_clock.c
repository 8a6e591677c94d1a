// Preloaded into a daemon it moves the wall clock by so many seconds as the file $ALMANAC_TEST_CLOCK says.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec* time) {
  int (*next)(clockid_t, struct timespec*) = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int result = next(id, time);
  FILE* file = id == CLOCK_REALTIME ? fopen(getenv("ALMANAC_TEST_CLOCK"), "r") : NULL;
  long ahead = 0;
  if (file && fscanf(file, "%ld", &ahead) == 1) time->tv_sec += ahead;
  if (file) fclose(file);
  return result;
}
