// Keys of reservations: their text, the files that they lie in, and the grants in them, as clients
// send them.
#include "core/reservation/grant.hpp"
#include "core/text/base64url.hpp"
#include "schema/codec.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace almanac;

namespace {

// Whatever reads back is the only text of it.
void read_key(std::string_view text) {
  const auto key = parse_key(text);
  if (!key) return;
  check(print_key(*key) == text, "a key has one text");
  const auto grant = decode_canonical<KeyGrant>(key->grant);
  check(!grant || canonical(*grant) == key->grant, "a grant has one form");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = as_text(data, size);
  read_key(text);
  if (const auto file = parse_key_file(text)) {
    const auto again = parse_key_file(print_key(file->key));
    check(again.ok() && print_key(again->key) == print_key(file->key), "a key reads back");
  }
  if (const auto bytes = parse_base64url(text))
    check(print_base64url(*bytes) == text, "bytes have one text");
  const auto whole = text.substr(0, text.size() / 8 * 8);
  if (const auto grant = decode_canonical<KeyGrant>(whole))
    check(canonical(*grant) == whole, "a grant has one form");
  return 0;
}
