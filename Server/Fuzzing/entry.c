// libFuzzer's entry point: FUZZ_TARGET is the function of FuzzTargets.swift that the program tests.
#include <stddef.h>
#include <stdint.h>

void FUZZ_TARGET(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FUZZ_TARGET(data, size);
  return 0;
}
