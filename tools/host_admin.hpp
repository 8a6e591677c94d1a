// Exec hosts and the keys of their agents, as almanac-admin keeps them: the register is the
// master's, who is asked through its door; keys and tickets are files.
#pragma once

#include "core/base/time.hpp"
#include "core/request/command.hpp"

#include <cstdint>
#include <string>

namespace almanac {

/// Each prints what it did, or why not, and returns the exit code. `directory` is the cell's.
int add_host(const std::string& directory, const std::string& host, std::int64_t slots,
             Instant expires);
/// `action`: issue or replace.
int rekey_host(const std::string& directory, const std::string& host, KeyAction action,
               Instant expires);
int revoke_host(const std::string& directory, const std::string& host);
/// With `waits`: the host is disabled first, and leaves once nothing runs there any more.
int remove_host(const std::string& directory, const std::string& host, bool waits);
int list_hosts(const std::string& directory);

} // namespace almanac
