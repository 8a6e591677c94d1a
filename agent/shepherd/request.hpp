// How an agent asks almanac-shepherd for a shepherd: a packet with the folder's path, and two
// files.
#pragma once

#include <string>

namespace almanac {

struct ShepherdRequest {
  std::string folder;
  int control = -1; ///< a listening socket
  int order = -1;   ///< print_shepherd_order()
};

/// False with errno set; blocks while the other side is behind.
bool send_request(int socket, const ShepherdRequest& request);
/// False at the end of the connection. The files are the caller's to close.
bool receive_request(int socket, ShepherdRequest& request);

} // namespace almanac
