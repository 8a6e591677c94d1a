// A cell's folder: settings, authority and keys, store, one folder for each agent (design.md
// section 9).
#pragma once

#include "actors/process/rights.hpp"
#include "actors/process/tls_files.hpp"
#include "actors/trust/handshake.hpp"
#include "core/base/result.hpp"
#include "master/settings.hpp"

#include <string>

namespace almanac {

/// Makes the folder of a new cell, or takes one that is empty, and gives it to `owner`. The caller
/// is root.
Outcome make_folder_for(const Account& owner, const std::string& directory);

/// For who makes a cell in `directory`: with a `user` root makes the folder, and this process becomes
/// that user; "" stands for the caller.
Outcome prepare_cell_for(const std::string& user, const std::string& directory);

/// The parts of a cell in `directory`, which must not exist or be empty: its folders, then authority,
/// certificates and keys, which replace those that are there.
Outcome make_cell_folders(const std::string& directory);
Outcome make_cell_keys(const std::string& directory, const std::string& cell);

/// Makes a new cell in `directory`, which must not exist or be empty; `admin` becomes its manager.
Outcome create_cell(const std::string& directory, const std::string& cell,
                    const std::string& admin);

/// What the ticket of an agent says of itself (core/host/host_key.hpp).
struct TicketTerms {
  std::int64_t serial = 0;
  Instant expires; ///< 0: never
};

struct NewAgent {
  std::string host;
  std::string master; ///< its address, host:port
  std::string user;   ///< of the setting with this name; "": it is not set
};

/// Makes certificate, keys and settings of an agent in DIR/agents/HOST, which belong to the caller;
/// an error if the folder is there already. Root may do it in a cell of another user, who can't
/// make root write elsewhere.
Outcome create_agent_folder(const std::string& directory, const NewAgent& agent, TicketTerms terms);

/// Replaces certificate, keys and ticket in the folder of an agent; all else stays. The agent takes
/// them when it is started again.
Outcome replace_agent_keys(const std::string& directory, const std::string& host,
                           TicketTerms terms);

/// Takes keys, certificate and ticket out of DIR/agents/HOST, which belongs to the caller, and renames
/// the rest (settings, log, spool) to a hidden folder beside it, whose path is returned; "" if there
/// was no folder.
Result<std::string> retire_agent_folder(const std::string& directory, const std::string& host,
                                        Instant now);
std::string agent_folder(const std::string& directory, const std::string& host);

/// New certificates, from now on and for the same keys, of the authority and of the master. Agents
/// who have the authority's old one take them.
Outcome renew_master_certificates(const std::string& directory);
/// The same of an agent, in DIR/agents/HOST, which belongs to the caller; with the authority's.
Outcome renew_agent_certificate(const std::string& directory, const std::string& host);

/// The folder for what Grid Engine keeps in $SGE_ROOT/$SGE_CELL/common: DIR/root/CELL/common, made
/// if need be, with DIR/root/util/arch (ruling in spec/rulings.md).
Result<std::string> common_folder(const std::string& directory, const std::string& cell);

/// The master's identity, from its files.
Result<Identity> read_master_identity(const std::string& directory, const MasterSettings& settings);
TlsFiles master_tls_files(const std::string& directory);

} // namespace almanac
