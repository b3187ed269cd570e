// Reports Swift's Mutex to ThreadSanitizer. On Linux its fast path is compiled into our code, where the
// sanitizer sees it. When threads wait for each other, it calls libswiftSynchronization, which the
// sanitizer doesn't see: it would report a race for data that the lock guards.
//
// scripts/stand-ins preloads this file. Each function replaces the library's, reports what was
// acquired or released, and calls the library's.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Absent in programs without the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// Synchronization._MutexHandle._lockSlow(UInt32), ._tryLockSlow() -> Bool, ._unlockSlow()
SWIFT void lock_slow(uint32_t thread, SELF) __asm__(
    "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF) {
  typedef SWIFT void (*Real)(uint32_t, SELF);
  Real real = (Real)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  real(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
  typedef SWIFT bool (*Real)(SELF);
  Real real = (Real)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
  bool locked = real(self);
  if (locked && __tsan_acquire) __tsan_acquire(self);
  return locked;
}

SWIFT void unlock_slow(SELF) {
  typedef SWIFT void (*Real)(SELF);
  Real real = (Real)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  if (__tsan_release) __tsan_release(self);
  real(self);
}
