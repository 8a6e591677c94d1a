// Finding and ending all processes of a task: by cgroup, by descent, by the marker in their
// environment.
#pragma once

#include "actors/process/boot_clock.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace almanac {

/// The folder under which leaves can be made, or "" where there is no cgroup v2 to write to. It is
/// there only while it has leaves: nothing is left of an agent that was killed.
std::string cgroup_base(const std::string& name);
/// fork() with the child in `leaf` ("": where its parent is) from the beginning: to move a process
/// there later makes the kernel hold up every other fork for tens of milliseconds.
pid_t fork_into(const std::string& leaf);
bool make_cgroup(const std::string& leaf);
/// With the folder above it, if it was the last leaf.
void remove_cgroup(const std::string& leaf);

/// All that descend from `root`, children first found first.
std::vector<pid_t> descendants(pid_t root);
/// All processes that carry ALMANAC_TASK=marker and may be read.
std::vector<pid_t> marked_processes(const std::string& marker);
std::vector<pid_t> cgroup_processes(const std::string& leaf);

/// Signals all that descend from `root`. A number that has become another's meanwhile is left
/// alone, here and below.
void signal_descendants(pid_t root, int signal);
/// Kills all in it at once, those that are just being forked included; "" for none.
void kill_cgroup(const std::string& leaf);
/// Ends everything of a task whose shepherd is gone.
void end_leftovers(const std::string& cgroup, const std::string& marker);

/// Another one each time the machine starts.
std::string boot_id();

} // namespace almanac
