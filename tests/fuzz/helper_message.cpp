// What the network half of an agent may send to the helper, which is root: packets, in or beside
// the socket, with any request in them. Nothing that the master has not signed comes of any.
#include "agent/helper/helper.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/record_mutation.hpp"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/socket.h>
#include <unistd.h>

using namespace almanac;

namespace {

// A helper in an empty spool, with both ends of its socket.
struct Sides {
  Sides() {
    char folder[] = "/dev/shm/almanac-fuzz-spool-XXXXXX";
    check(::mkdtemp(folder) != nullptr, "a spool can be made");
    spool = folder;
    check(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "a socket is there");
    helper = std::make_unique<Helper>(
        HelperSettings{"cell", "h1", spool, "/usr/bin", 0, std::string(32, 'k')},
        TaskPlaces{spool, "id", "secret", ""},
        ::open(spool.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), nullptr);
  }
  ~Sides() { ::rmdir(spool.c_str()); }

  std::string spool;
  int ends[2] = {-1, -1};
  std::unique_ptr<Helper> helper;
};

void check_same(const std::string& text) {
  const auto request = parse_fields<HelperRequest>(text, request_format, "the request");
  if (!request) return check(request.what().size() < 1000, "a refusal is short");
  const auto printed = print_fields(*request, request_format);
  const auto again = parse_fields<HelperRequest>(printed, request_format, "the request");
  check(again.ok() && print_fields(*again, request_format) == printed,
        "what is printed reads back the same");
  check(printed.size() <= text.size(), "there is nothing in a request that it does not need");
}

// Of a task that is not here, nothing but to ask for it, or to have it removed, can be done.
void check_reply(const std::string& text, const HelperReply& reply) {
  const auto request = parse_fields<HelperRequest>(text, request_format, "the request");
  const bool harmless =
      request.ok() && (request->verb == HelperVerb::remove || request->verb == HelperVerb::adopt);
  check(reply.refusal.empty() == harmless, "what nobody has signed is refused");
  check(!reply.known && reply.files.empty(), "nothing is known, and no file is handed out");
}

} // namespace

// The first byte: whether the text goes as it is, or in whatever form is right for its size.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Sides sides;
  Pieces pieces(as_text(data, size));
  const bool is_plain = pieces.byte() % 2 == 0;
  const std::string text(pieces.rest());
  check_same(text);
  // An empty packet is the end of the connection.
  if (text.empty()) return 0;
  check(is_plain ? ::send(sides.ends[0], text.data(), text.size(), 0) > 0
                 : send_packet(sides.ends[0], text),
        "a packet can be sent");
  check(serve_one(*sides.helper, sides.ends[1]), "each packet is answered");
  HelperPacket packet;
  check(receive_packet(sides.ends[0], packet), "the answer comes");
  const auto reply = parse_fields<HelperReply>(packet.text, reply_format, "the reply");
  check(reply.ok() && packet.files.empty(), "the answer can be read");
  check_reply(text, *reply);
  check(std::filesystem::is_empty(sides.spool), "nothing was made");
  return 0;
}

#ifdef ALMANAC_FUZZ
// Half of the time one field is changed: each has its length before it.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed) {
  RecordMutation mutation(seed);
  if (size < 2 || mutation.below(2) == 0) return LLVMFuzzerMutate(data, size, limit);
  auto request =
      parse_fields<HelperRequest>(as_text(data, size).substr(1), request_format, "the request");
  if (!request) return LLVMFuzzerMutate(data, size, limit);
  mutation.change(*request);
  const auto text = print_fields(*request, request_format);
  if (text.size() + 1 > limit) return LLVMFuzzerMutate(data, size, limit);
  std::memcpy(data + 1, text.data(), text.size());
  return text.size() + 1;
}
#endif
