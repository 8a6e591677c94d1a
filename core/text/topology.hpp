// Sockets, cores and threads of a machine in Grid Engine's letters (m_topology): S is a socket, the C
// behind it its cores, the T behind one its threads where it has several: SCTTCTT. In m_topology_inuse
// the letters of cores that tasks are bound to, and of their threads, are small: SCTTctt.
// Source: load values of Grid Engine 8.1.9; spec/objects.md section 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace almanac {

/// In letters; a machine that needs more does not tell of its cores.
inline constexpr std::size_t longest_topology = 4'096;

/// "" is one that is not known.
bool is_topology(std::string_view text);

/// Of m_socket, m_core and m_thread: how many there are. Nothing for other names, or where it is not
/// known.
std::optional<std::int64_t> topology_count(std::string_view topology, std::string_view name);
/// The same as it is printed, and m_topology itself.
std::optional<std::string> topology_value(const std::string& topology, std::string_view name);

/// Whether hosts say by themselves what there is of it: the names above and m_topology_inuse.
bool is_topology_name(std::string_view name);

} // namespace almanac
