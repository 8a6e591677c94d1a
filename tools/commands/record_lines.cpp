#include "tools/commands/record_lines.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t piece_size = 1 << 20;
constexpr std::size_t longest_line = 1 << 20; // a category may name many resources

// The lines of a file, a piece of it at a time: a history of years does not fit into memory.
class Lines {
public:
  explicit Lines(const std::string& path)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), problem_(file_ < 0 ? errno : 0) {}
  ~Lines() {
    if (file_ >= 0) ::close(file_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// False at the end, and where something is wrong. The line lives until the next call.
  bool next(std::string_view& line) {
    for (;;) {
      const auto end = text_.find('\n', at_);
      if (end != std::string::npos || (is_over_ && at_ < text_.size())) {
        line = std::string_view(text_).substr(at_, end - at_);
        at_ = end == std::string::npos ? text_.size() : end + 1;
        return true;
      }
      if (is_over_ || problem_ != 0 || !read_more()) return false;
    }
  }
  int problem() const { return problem_; } ///< as errno; 0: none

private:
  bool read_more() {
    text_.erase(0, std::exchange(at_, 0));
    if (text_.size() > longest_line) {
      problem_ = EFBIG;
      return false;
    }
    const auto kept = text_.size();
    text_.resize(kept + piece_size);
    const auto size = ::read(file_, text_.data() + kept, piece_size);
    text_.resize(kept + static_cast<std::size_t>(size > 0 ? size : 0));
    if (size < 0) problem_ = errno;
    is_over_ = size == 0;
    return size >= 0;
  }

  int file_;
  int problem_;
  std::string text_;
  std::size_t at_ = 0;
  bool is_over_ = false;
};

// Those that are no records: the first of them are told.
class WrongLines {
public:
  WrongLines(const std::string& path, const std::function<void(const std::string&)>& warn)
      : path_(path), warn_(warn) {}

  void add(std::int64_t line, const std::string& why) {
    if (++count_ <= most_told) warn_(path_ + ":" + std::to_string(line) + ": " + why);
  }
  void finish() const {
    if (count_ > most_told)
      warn_(path_ + ": " + std::to_string(count_ - most_told) + " more lines can't be read");
  }
  std::int64_t count() const { return count_; }

private:
  static constexpr std::int64_t most_told = 20;
  const std::string& path_;
  const std::function<void(const std::string&)>& warn_;
  std::int64_t count_ = 0;
};

} // namespace

Outcome each_record_line(const std::string& path,
                         const std::function<Outcome(std::string_view line)>& take,
                         const std::function<void(const std::string&)>& warn) {
  Lines lines(path);
  WrongLines wrong(path, warn);
  std::int64_t number = 0;
  bool has_sound = false;
  for (std::string_view line; lines.next(line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    if (const auto taken = take(line)) has_sound = true;
    else wrong.add(number, taken.what());
  }
  wrong.finish();
  if (lines.problem() == 0 && wrong.count() > 0 && !has_sound)
    return Error{path + ": none of its lines can be read"};
  if (lines.problem() == 0) return Done{};
  return Error{
      "can't read \"" + path + "\": " +
      (lines.problem() == EFBIG ? "a line is longer than 1 MB" : std::strerror(lines.problem()))};
}

} // namespace almanac
