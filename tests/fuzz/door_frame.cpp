// What comes to a door: bytes in pieces of any size, frames in them, requests in these. The gate
// decodes each and asks whether it is valid, and nothing more happens here.
#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"
#include "schema/door_objection.hpp"
#include "schema/frame_assembly.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/record_mutation.hpp"

#include <algorithm>
#include <cstring>

using namespace almanac;

namespace {

struct Heard {
  std::vector<std::string> frames;
  bool is_broken = false;
};

Heard hear(std::string_view stream, std::size_t piece) {
  FrameAssembly assembly;
  Heard heard;
  while (!stream.empty()) {
    auto frames = assembly.take(stream.substr(0, piece));
    if (frames) heard.frames.insert(heard.frames.end(), frames->begin(), frames->end());
    else heard.is_broken = true;
    check(frames.ok() || !assembly.take("more").ok(), "nothing is read behind a broken frame");
    if (!frames) break;
    stream.remove_prefix(std::min(piece, stream.size()));
  }
  return heard;
}

void ask(const std::string& frame) {
  const auto request = decode<door::Request>(frame);
  if (!request) return;
  const auto answer = door::objection(request->body);
  if (!answer) return;
  check(answer->exit_code != 0 && !answer->statements.empty(), "what is not valid is refused");
  for (const auto& line : gridengine::lines_of(*answer))
    check(line.text.size() < 1000, "a refusal is short, whatever was sent");
}

} // namespace

// The first byte says how large the pieces are; the rest is what the client sends.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pieces pieces(as_text(data, size));
  const std::size_t piece = 1 + pieces.byte();
  const auto stream = pieces.rest();
  const auto whole = hear(stream, stream.size());
  const auto parts = hear(stream, piece);
  check(whole.is_broken == parts.is_broken, "pieces break what is broken as a whole");
  // What comes in one piece with a broken frame goes with it.
  check(whole.is_broken || whole.frames == parts.frames, "pieces make the same frames");
  std::size_t total = 0;
  for (const auto& frame : parts.frames) {
    total += frame.size() + 4;
    ask(frame);
    if (const auto sealed = decode<door::SealedRequest>(frame)) ask(sealed->request.content);
  }
  check(total <= stream.size(), "no frame is longer than what came");
  return 0;
}

#ifdef ALMANAC_FUZZ
// Half of the time one field of one request is changed, and its frame made anew.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed) {
  RecordMutation mutation(seed);
  if (size == 0 || mutation.below(2) == 0) return LLVMFuzzerMutate(data, size, limit);
  auto frames = hear(as_text(data + 1, size - 1), size).frames;
  if (frames.empty()) return LLVMFuzzerMutate(data, size, limit);
  auto& frame = frames[mutation.below(frames.size())];
  if (auto request = decode<door::Request>(frame)) {
    mutation.change(*request);
    frame = encode(*request);
  } else if (auto sealed = decode<door::SealedRequest>(frame)) {
    mutation.change(*sealed);
    frame = encode(*sealed);
  }
  std::string input(1, static_cast<char>(data[0]));
  for (const auto& one : frames) input += door::framed(one);
  if (input.size() > limit) return LLVMFuzzerMutate(data, size, limit);
  std::memcpy(data, input.data(), input.size());
  return input.size();
}
#endif
