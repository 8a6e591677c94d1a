// What a daemon does around its actors: settings, logging, signals, readiness.
#pragma once

#include "actors/trust/handshake.hpp"
#include "core/base/result.hpp"
#include "core/configuration/objects/global_configuration.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace almanac {

Result<std::string> read_file(const std::string& path);
/// Durable: written beside, synced, renamed.
Outcome write_file(const std::string& path, std::string_view content, unsigned mode);

/// Durable, too, and faster, for a new file whose reader can tell whether it is whole.
Outcome write_file_in_place(const std::string& path, std::string_view content, unsigned mode);
/// For what can be made again after a power cut: neither synced nor renamed.
Outcome write_file_unsynced(const std::string& path, std::string_view content, unsigned mode);

/// Logs to stderr and to DIR/log/NAME.log; SIGHUP opens the file anew.
void start_logging(const std::string& directory, const std::string& name);

void set_log_level(LogLevel level);

/// Blocks the signals a daemon waits for; before any thread is made.
void block_signals();
/// Says that the daemon is ready: DIR/run/ready and sd_notify.
void tell_ready(const std::string& directory);
/// Returns on SIGTERM or SIGINT. Calls `daily` at once, and then once a day.
void wait_for_signal(const std::function<void()>& daily = [] {});
/// Removes DIR/run/ready and ends the process at once: everything that matters is durable.
[[noreturn]] void leave(const std::string& directory);

/// The port to ask for: the one that is set or, with 0, the one that `file` remembers; 0: any.
/// Others keep the address that they were given, so a port that was chosen once is asked for again.
std::uint16_t port_to_ask_for(std::uint16_t set, const std::string& file);
Outcome keep_port(std::uint16_t port, const std::string& file);

/// Only one process works in a directory: a lock on DIR/run/lock, held until the process ends.
Outcome lock_directory(const std::string& directory);

} // namespace almanac
