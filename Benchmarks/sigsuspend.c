// Valgrind 3.19 writes into the mask that a program gives to sigsuspend, and crashes where that is
// constant, as libdispatch's is: this gives it a copy. Preloaded by Benchmarks/instructions.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
  // As the kernel has it: 64 signals.
  unsigned long copy = *(const unsigned long *)mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, sizeof copy);
}
