#include "core/reservation/grant.hpp"

#include "core/text/base64url.hpp"

#include <array>
#include <vector>

namespace almanac {

namespace {

constexpr std::string_view prefix = "v1.";
constexpr std::size_t signature_bytes = 64, longest_grant = 4096;
constexpr std::size_t longest_file = 65'536;

void add_number(std::string& text, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 255);
}

std::vector<std::string_view> parts_of_key(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; parts.size() < 5;) {
    const auto dot = text.find('.', at);
    parts.push_back(text.substr(at, dot == text.npos ? dot : dot - at));
    if (dot == text.npos) break;
    at = dot + 1;
  }
  return parts;
}

// The words of a line of gmeta's answer.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto end = line.find_first_of("; \t\r");
    if (end != 0) words.push_back(line.substr(0, end));
    line.remove_prefix(end == line.npos ? line.size() : end + 1);
  }
  return words;
}

bool take(std::string_view& word, std::string_view label) {
  if (!word.starts_with(label)) return false;
  word.remove_prefix(label.size());
  return true;
}

} // namespace

std::string print_key(const KeyText& key) {
  auto text =
      std::string(prefix) + print_base64url(key.grant) + "." + print_base64url(key.signature);
  if (!key.secret.empty()) text += "." + print_base64url(key.secret);
  return text;
}

Result<KeyText> parse_key(std::string_view text) {
  if (text.size() > longest_key_text) return Error{"a key has at most 8192 characters"};
  if (!text.starts_with(prefix)) return Error{"a key of a reservation begins with v1."};
  const auto parts = parts_of_key(text.substr(prefix.size()));
  if (parts.size() < 2 || parts.size() > 3)
    return Error{"a key is v1.GRANT.SIGNATURE or v1.GRANT.SIGNATURE.SECRET"};
  std::array<std::string, 3> bytes;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto part = parse_base64url(parts[i]);
    if (!part) return Error{"the key: " + part.what()};
    bytes[i] = std::move(*part);
  }
  KeyText key{std::move(bytes[0]), std::move(bytes[1]), std::move(bytes[2])};
  if (key.grant.empty() || key.grant.size() > longest_grant || key.grant.size() % 8 != 0)
    return Error{"the grant of the key has the wrong length"};
  if (key.signature.size() != signature_bytes)
    return Error{"the signature of the key has the wrong length"};
  if (parts.size() == 3 && key.secret.size() != secret_bytes)
    return Error{"the secret of the key has the wrong length"};
  return key;
}

Result<KeyFile> parse_key_file(std::string_view content) {
  if (content.size() > longest_file) return Error{"a file with a key has at most 65536 characters"};
  KeyFile file;
  bool has_key = false;
  while (!content.empty()) {
    const auto end = content.find('\n');
    const auto line = content.substr(0, end);
    content.remove_prefix(end == content.npos ? content.size() : end + 1);
    if (line.starts_with('#')) continue;
    for (auto word : words_of(line)) {
      if (take(word, "privkey=")) {
        auto key = parse_base64url(word);
        if (!key || key->size() != key_bytes)
          return Error{"privkey= needs the 32 bytes of an Ed25519 key, in base64url"};
        if (!file.private_key.empty()) return Error{"there are two private keys"};
        file.private_key = std::move(*key);
        continue;
      }
      const bool is_named = take(word, "RESKEY=");
      if (!is_named && !word.starts_with(prefix)) continue;
      if (has_key) return Error{"there are two keys"};
      auto key = parse_key(word);
      if (!key) return key.error();
      file.key = std::move(*key), has_key = true;
    }
  }
  if (!has_key) return Error{"there is no key in it (RESKEY=v1.…)"};
  return file;
}

std::string claim_text(const ClaimedUse& use) {
  auto text = "gmeta-claim-v1" + use.nonce + use.site + std::string(1, '\0');
  add_number(text, use.number.value), add_number(text, use.incarnation.value);
  return text + use.digest;
}

} // namespace almanac
