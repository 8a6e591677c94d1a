// Whose the files of an agent are: its folder and spool are its starter's (root's), who believes
// what stands there; run/, log/, common_files/, the keys and spool/session are the network half's
// user's.
//
// A folder that is root's is given away with all that is in it, once: nobody else could write in it
// until then. One that belongs to a third user is nobody's to take: the agent does not start.
#pragma once

#include "agent/helper/task_folder.hpp"
#include "core/base/result.hpp"

#include <string>

namespace almanac {

/// Checks `directory`, and gives `user` what they need of it; the error says what is wrong, and the
/// way out.
Outcome share_directory(const std::string& directory, const UserIds& user);

/// In DIR/CELL/common, which stays the starter's, commands find a link to each copy of a common file
/// in DIR/common_files, which the network half keeps: it can't put a file there that scripts of users
/// read. What is there stays, and the folder is left alone where it is the master's own.
Outcome link_common_files(const std::string& directory, const std::string& cell);

/// A spool that was copied, perhaps with the whole folder of a running agent, names tasks that are
/// not here to end: it is renamed, and its new name returned. "": there is none, or it is no copy.
Result<std::string> set_aside_copy(const std::string& path);

/// Opens the spool, or makes it, with spool/session for `user`, and finds the names of this spool.
/// What an earlier version kept beside the tasks moves there. The open folder.
Result<int> open_spool(const std::string& path, const UserIds& user, TaskPlaces& places);

} // namespace almanac
