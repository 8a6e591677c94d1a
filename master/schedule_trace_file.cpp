#include "master/schedule_trace_file.hpp"

#include "core/configuration/schedule_pieces.hpp"

#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

// Pieces grow old while nothing is written.
constexpr Duration between_looks{3600};

Error trouble() { return Error{std::strerror(errno)}; }

Outcome append_whole(int file, std::string text) {
  const auto before = ::lseek(file, 0, SEEK_END);
  char last = '\n';
  if (before > 0 && ::pread(file, &last, 1, before - 1) == 1 && last != '\n') text.insert(0, "\n");
  errno = ENOSPC; // of a write that stops in between
  const auto written = ::write(file, text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) return Done{};
  auto why = trouble();
  if (written > 0 && ::ftruncate(file, before) != 0) why.what += ", and it ends with part of a run";
  return why;
}

Outcome append_whole(const std::string& path, std::string text) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return trouble();
  auto written = append_whole(file, std::move(text));
  ::close(file);
  return written;
}

std::vector<SchedulePiece> pieces_in(const fs::path& folder) {
  std::vector<SchedulePiece> pieces;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const auto last_run = last_run_in(entry->path().filename().string());
    struct stat facts {};
    if (last_run && ::lstat(entry->path().c_str(), &facts) == 0 && S_ISREG(facts.st_mode))
      pieces.push_back({*last_run, facts.st_size});
  }
  return pieces;
}

} // namespace

void ScheduleTraceFile::follow(const Retention& retention) {
  retention_ = retention;
  next_look_ = {};
}

void ScheduleTraceFile::append(const std::vector<std::string>& lines, Instant now) {
  std::string text;
  for (const auto& line : lines) text += line + '\n';
  auto done = become_piece(static_cast<std::int64_t>(text.size()), now);
  if (done) done = append_whole(path_, std::move(text));
  if (done) last_run_ = now;
  tell(done);
  clear_away(now);
}

// A link leads to where somebody else looks after the file.
Outcome ScheduleTraceFile::become_piece(std::int64_t next_run, Instant now) {
  struct stat facts {};
  if (::lstat(path_.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return Done{};
  const SchedulePiece file{last_run_.value_or(std::min(Instant{facts.st_mtime}, now)),
                           facts.st_size};
  if (!becomes_piece(file, next_run, now, retention_)) return Done{};
  const auto piece = fs::path(path_).replace_filename(schedule_piece_name(file.last_run));
  // Two in one second: it becomes one with a later run.
  if (::lstat(piece.c_str(), &facts) == 0) return Done{};
  if (::rename(path_.c_str(), piece.c_str()) != 0) return trouble();
  next_look_ = now;
  return Done{};
}

void ScheduleTraceFile::clear_away(Instant now) {
  if (now < next_look_) return;
  next_look_ = now + between_looks;
  const auto folder = fs::path(path_).parent_path();
  std::error_code failed;
  const auto size = fs::file_size(path_, failed);
  const auto gone = pieces_to_remove(pieces_in(folder),
                                     failed ? 0 : static_cast<std::int64_t>(size), now, retention_);
  for (const auto last_run : gone) {
    const auto piece = folder / schedule_piece_name(last_run);
    if (!fs::remove(piece, failed) && failed)
      spdlog::error("{} is no longer kept, but can't be removed: {}", piece.string(),
                    failed.message());
  }
}

void ScheduleTraceFile::tell(const Outcome& written) {
  const bool is_news = written.ok() != works_;
  works_ = written.ok();
  if (!is_news) return;
  if (works_) spdlog::warn("the schedule trace {} is written again; some runs are missing", path_);
  else spdlog::error("the schedule trace {} can't be written: {}", path_, written.what());
}

} // namespace almanac
