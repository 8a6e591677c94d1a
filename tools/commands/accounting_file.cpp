#include "tools/commands/accounting_file.hpp"

#include "core/job/accounting_glance.hpp"
#include "core/job/accounting_line.hpp"
#include "core/text/names.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

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

} // namespace

Outcome read_accounting_file(const std::string& path, const AccountingFilter& filter,
                             const std::function<void(const AccountingRecord&)>& use) {
  const bool is_choosy = filter != AccountingFilter();
  Lines lines(path);
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line.front() == '#') continue;
    if (is_choosy) {
      const auto seen = accounting_glance(line);
      if (!seen) return Error{path + ": " + seen.what()};
      if (!wants(filter, *seen)) continue;
    }
    const auto record = parse_accounting_line(printable(line));
    if (!record) return Error{path + ": " + record.what()};
    if (wants(filter, *record)) use(*record);
  }
  if (lines.problem() == 0) return Done{};
  return Error{
      "can't read \"" + path + "\": " +
      (lines.problem() == EFBIG ? "a line is longer than 1 MB" : std::strerror(lines.problem()))};
}

} // namespace almanac
