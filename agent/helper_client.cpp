#include "agent/helper_client.hpp"

#include <spdlog/spdlog.h>

#include <cstdlib>
#include <sys/socket.h>
#include <unistd.h>

namespace almanac {

namespace {

[[noreturn]] void end_without_helper() {
  spdlog::error("the agent's helper is gone");
  std::_Exit(1);
}

} // namespace

int HelperClient::Answer::take(const char* what) {
  const auto found = files.extract(what);
  return found.empty() ? -1 : found.mapped();
}

void HelperClient::send(const HelperRequest& request) const {
  if (!send_packet(socket_, print_fields(request, request_format))) end_without_helper();
}

HelperClient::Answer HelperClient::receive() const {
  HelperPacket packet;
  if (!receive_packet(socket_, packet)) end_without_helper();
  auto reply = parse_fields<HelperReply>(packet.text, reply_format, "the helper's reply");
  if (!reply || reply->files.size() != packet.files.size()) {
    spdlog::error("the agent's helper is of another version");
    std::_Exit(1);
  }
  Answer answer{*reply, {}};
  for (std::size_t i = 0; i < packet.files.size(); ++i)
    answer.files[reply->files[i]] = packet.files[i];
  return answer;
}

Result<HelperGreeting> hear_greeting(int socket) {
  int kind = 0;
  socklen_t size = sizeof kind;
  HelperPacket packet;
  if (::getsockopt(socket, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_SEQPACKET ||
      !receive_packet(socket, packet))
    return Error{"almanac-agent starts it; it is not meant to be typed"};
  return parse_fields<HelperGreeting>(packet.text, greeting_format, "the greeting");
}

} // namespace almanac
