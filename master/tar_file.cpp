#include "master/tar_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <unistd.h>
#include <vector>

namespace almanac {

namespace {

constexpr std::size_t block = 512;
constexpr std::size_t piece = 1 << 20;
using Block = std::array<char, block>;

// Where the fields of a header lie.
constexpr std::size_t name_at = 0, name_size = 100, mode_at = 100, owner_at = 108, group_at = 116,
                      size_at = 124, time_at = 136, sum_at = 148, type_at = 156, magic_at = 257;

void put(Block& header, std::size_t at, std::string_view text) {
  std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string octal(std::int64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llo", digits, static_cast<unsigned long long>(number));
  return text;
}

// With blanks where the sum itself is.
std::int64_t sum_of(const Block& header) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < block; ++i)
    sum += i >= sum_at && i < sum_at + 8 ? ' ' : static_cast<unsigned char>(header.at(i));
  return sum;
}

std::optional<std::int64_t> octal_at(const Block& header, std::size_t at, std::size_t size) {
  std::int64_t number = 0;
  for (std::size_t i = at; i < at + size; ++i) {
    const char c = header.at(i);
    if (c == '\0' || c == ' ') break;
    if (c < '0' || c > '7') return std::nullopt;
    number = number * 8 + (c - '0');
  }
  return number;
}

std::int64_t rest_of_block(std::int64_t bytes) {
  const auto size = static_cast<std::int64_t>(block);
  return (size - bytes % size) % size;
}

Error failure(const char* what) {
  return {std::string("can't ") + what + " the archive: " + std::strerror(errno)};
}

Outcome write_to(int into, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(into, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Error{std::string("can't write: ") + std::strerror(errno)};
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return Done{};
}

// As many as were asked for; fewer at the end.
Result<std::string_view> read_piece(int from, std::vector<char>& buffer, std::int64_t most) {
  const auto wanted = static_cast<std::size_t>(
      std::min<std::int64_t>(most, static_cast<std::int64_t>(buffer.size())));
  std::size_t have = 0;
  while (have < wanted) {
    const auto got = ::read(from, buffer.data() + have, wanted - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure("read");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return std::string_view(buffer.data(), have);
}

} // namespace

Outcome TarWriter::write(std::string_view bytes) { return write_to(into_, bytes); }

Outcome TarWriter::begin(const TarEntry& entry) {
  if (entry.name.size() >= name_size) return Error{entry.name + ": the name is too long"};
  constexpr std::int64_t most = 077777777777;
  if (entry.bytes > most) return Error{entry.name + " is too large"};
  Block header{};
  put(header, name_at, entry.name), put(header, mode_at, octal(entry.mode, 7));
  put(header, owner_at, octal(0, 7)), put(header, group_at, octal(0, 7));
  put(header, size_at, octal(entry.bytes, 11)), put(header, time_at, octal(0, 11));
  header.at(type_at) = '0';
  put(header, magic_at, std::string_view("ustar\00000", 8));
  put(header, sum_at, octal(sum_of(header), 6));
  header.at(sum_at + 6) = '\0', header.at(sum_at + 7) = ' ';
  return write({header.data(), header.size()});
}

Outcome TarWriter::pad(std::int64_t bytes) {
  return write(std::string(static_cast<std::size_t>(rest_of_block(bytes)), '\0'));
}

Outcome TarWriter::add(const std::string& name, unsigned mode, std::string_view content) {
  const auto bytes = static_cast<std::int64_t>(content.size());
  for (auto written : {begin({name, mode, bytes}), write(content), pad(bytes)})
    if (!written) return written;
  return Done{};
}

Outcome TarWriter::add(const TarEntry& entry, int from) {
  if (auto begun = begin(entry); !begun) return begun;
  std::vector<char> buffer(piece);
  for (auto left = entry.bytes; left > 0;) {
    const auto read = read_piece(from, buffer, left);
    if (!read) return Error{entry.name + ": " + read.what()};
    if (read->empty()) return Error{entry.name + " has become shorter"};
    if (auto written = write(*read); !written) return written;
    left -= static_cast<std::int64_t>(read->size());
  }
  return pad(entry.bytes);
}

Outcome TarWriter::finish() {
  if (auto written = write(std::string(2 * block, '\0')); !written) return written;
  return ::fsync(into_) == 0 ? Outcome(Done{}) : Outcome(failure("write"));
}

namespace {

Result<TarEntry> read_header(const Block& header) {
  const auto sum = octal_at(header, sum_at, 8);
  const auto bytes = octal_at(header, size_at, 12), mode = octal_at(header, mode_at, 8);
  if (!sum || *sum != sum_of(header) || !bytes || !mode) return Error{"it is no tar archive"};
  const auto* name = header.data() + name_at;
  TarEntry entry{{name, ::strnlen(name, name_size)}, static_cast<unsigned>(*mode), *bytes};
  if (header.at(type_at) != '0' && header.at(type_at) != '\0')
    return Error{"\"" + entry.name + "\" in it is no plain file"};
  return entry;
}

Outcome copy_entry(int from, int into, const TarEntry& entry) {
  std::vector<char> buffer(piece);
  for (auto left = entry.bytes; left > 0;) {
    const auto read = read_piece(from, buffer, left);
    if (!read) return read.error();
    if (read->empty()) return Error{"it ends within \"" + entry.name + "\""};
    if (auto written = write_to(into, *read); !written)
      return Error{entry.name + ": " + written.what()};
    left -= static_cast<std::int64_t>(read->size());
  }
  if (::fsync(into) != 0) return Error{entry.name + ": can't write: " + std::strerror(errno)};
  const auto rest = read_piece(from, buffer, rest_of_block(entry.bytes));
  return rest ? Outcome(Done{}) : Outcome(rest.error());
}

} // namespace

Outcome read_tar(int from, const std::function<Result<int>(const TarEntry&)>& open) {
  std::vector<char> buffer(block);
  for (;;) {
    const auto read = read_piece(from, buffer, block);
    if (!read) return read.error();
    if (read->size() < block) return Error{"it ends before its end: it is not whole"};
    Block header;
    std::copy(read->begin(), read->end(), header.begin());
    if (std::all_of(header.begin(), header.end(), [](char c) { return c == '\0'; })) return Done{};
    const auto entry = read_header(header);
    if (!entry) return entry.error();
    const auto into = open(*entry);
    if (!into) return into.error();
    const auto copied = copy_entry(from, *into, *entry);
    ::close(*into);
    if (!copied) return copied;
  }
}

} // namespace almanac
