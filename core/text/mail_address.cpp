#include "core/text/mail_address.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <cctype>

namespace almanac {

namespace {
constexpr std::size_t longest_user_part = 256;
} // namespace

bool valid_mail_address(std::string_view address) {
  const auto at = address.find('@');
  const auto user = address.substr(0, at);
  if (user.empty() || user.size() > longest_user_part) return false;
  if (!std::isalnum(static_cast<unsigned char>(user.front())) && user.front() != '_') return false;
  const bool plain = std::all_of(user.begin(), user.end(), [](unsigned char c) {
    constexpr std::string_view special = "._-+=~#";
    return std::isalnum(c) || special.find(static_cast<char>(c)) != special.npos;
  });
  return plain && (at == std::string_view::npos || valid_host_name(address.substr(at + 1)));
}

} // namespace almanac
