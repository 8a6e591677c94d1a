// Ctrl-C while a command waits for an answer.
#pragma once

#include <chrono>
#include <optional>

namespace almanac {

/// From now on Ctrl-C does not end the process: it ends the wait for bytes, and is remembered.
void catch_interrupt();
bool was_interrupted();
/// Whether it came; asking forgets it.
bool take_interrupt();

/// Waits until `file` can be read, for `patience` at most (without one: as long as it takes). False
/// if that was in vain, or if Ctrl-C came.
bool wait_for_bytes(int file, std::optional<std::chrono::milliseconds> patience = std::nullopt);

} // namespace almanac
