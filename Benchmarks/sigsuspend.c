// Valgrind 3.19 writes into the mask that a program passes to sigsuspend, and crashes if the mask is
// constant, as libdispatch's is. This passes a copy. Benchmarks/instructions preloads it.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
  // The kernel's size: 64 signals.
  unsigned long copy = *(const unsigned long *)mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, sizeof copy);
}
