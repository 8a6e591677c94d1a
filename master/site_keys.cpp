#include "master/site_keys.hpp"

#include "actors/ports/journal.hpp"
#include "actors/process/daemon.hpp"
#include "actors/trust/wiped.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"
#include "schema/codec.hpp"

#include <filesystem>

namespace almanac {

namespace {

constexpr std::size_t most_keys = 1'000;

// When the oldest reservation came that may still be claimed; never(): there is none.
Instant oldest_reservation(const Journal& journal) {
  auto oldest = Instant::never();
  journal.scan(store::Family::reservations, [&](std::string_view, std::string_view bytes) {
    const auto reservation = decode<Reservation>(bytes);
    // What can't be read keeps all keys: it may be mended.
    if (!reservation) oldest = Instant{};
    else if (!reservation->is_over()) oldest = std::min(oldest, reservation->submitted);
  });
  return oldest;
}

Result<std::string> open_sealing_key(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    const Wiped digits(to_hex(random_bytes(key_bytes)));
    if (auto written = write_file(path, digits.bytes() + "\n", 0600); !written)
      return written.error();
  }
  auto content = read_file(path);
  if (!content) return content.error();
  const Wiped held(std::move(*content));
  auto key = from_hex(trim(held.bytes()));
  if (!key || key->size() != key_bytes) return Error{path + ": 64 hexadecimal digits are expected"};
  return key;
}

} // namespace

Result<std::vector<SiteKey>> parse_site_keys(std::string_view text) {
  std::vector<SiteKey> keys;
  std::int64_t line = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto words = split(text.substr(0, end), ' ');
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    ++line;
    const auto since = words.size() == 2 ? parse_number(words[0]) : Error{"no key"};
    const auto key = words.size() == 2 ? SigningKey::parse(words[1]) : Error{"no key"};
    const bool ascends = since && (keys.empty() || keys.back().since.seconds < *since);
    if (!since || !key || !ascends || keys.size() == most_keys)
      return Error{"line " + std::to_string(line) +
                   ": a later second than the line before and a signing key are expected"};
    keys.push_back({{*since}, *key});
  }
  return keys;
}

std::string print_site_keys(const std::vector<SiteKey>& keys) {
  std::string text;
  for (const auto& [since, key] : keys)
    text += std::to_string(since.seconds) + " " + key.print() + "\n";
  return text;
}

Result<SiteKeys> open_site_keys(const std::string& directory, const Journal& journal, Instant now) {
  const auto path = directory + "/ca/reservation.keys";
  SiteKeys site;
  if (std::filesystem::exists(path)) {
    auto content = read_file(path);
    if (!content) return content.error();
    const Wiped held(std::move(*content));
    auto keys = parse_site_keys(held.bytes());
    if (!keys) return Error{path + ": " + keys.what()};
    site.keys = std::move(*keys);
  }
  const Wiped before(print_site_keys(site.keys));
  // Only where a key may go is it asked for how long it is needed.
  const bool may_go = site.keys.size() > 1 && site.keys[1].since <= now;
  const auto oldest = may_go ? oldest_reservation(journal) : Instant{};
  site.keys = rotated(std::move(site.keys), now, oldest, &SigningKey::generate);
  const Wiped after(print_site_keys(site.keys));
  if (after.bytes() != before.bytes())
    if (auto written = write_file(path, after.bytes(), 0600); !written) return written.error();
  auto sealing = open_sealing_key(directory + "/ca/reservation.secret");
  if (!sealing) return sealing.error();
  site.sealing = std::move(*sealing);
  return site;
}

} // namespace almanac
