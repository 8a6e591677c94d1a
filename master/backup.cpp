#include "master/backup.hpp"

#include "actors/process/daemon.hpp"
#include "core/records/counters.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"
#include "master/cell.hpp"
#include "master/held_store.hpp"
#include "master/replay.hpp"
#include "master/rocks_journal.hpp"
#include "master/settings.hpp"
#include "master/tar_file.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

constexpr const char* head_file = "almanac-backup";
constexpr const char* head = "almanac backup, format 1\n";

constexpr std::array public_files{"settings.toml", "ca/ca.pem", "ca/master.pem"};
constexpr std::array secret_files{"ca/ca.key", "ca/master.key", "ca/sign.key"};
// Secret, too; a cell whose master was never started has none.
constexpr std::array later_files{"ca/reservation.keys", "ca/reservation.secret"};

template <class Names> bool is_among(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string date(Instant at) {
  const std::time_t seconds = at.seconds;
  char text[64];
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

// What the store makes again, and what says where the master was.
bool is_made_anew(const std::string& name) {
  static const std::set<std::string> made{"accounting",  "reporting",       "schedule",
                                          "act_qmaster", "accounting.mark", "reporting.mark"};
  return made.contains(name);
}

// A name of its own in the folder of common files: nothing hidden, nothing that leads elsewhere.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos;
}

std::vector<std::string> common_files_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    if (entry.is_regular_file() && !entry.is_symlink() && is_plain_name(name) &&
        !is_made_anew(name))
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class BackupWriter {
public:
  BackupWriter(std::string directory, int into) : directory_(std::move(directory)), tar_(into) {}

  Outcome add(const std::string& name, unsigned mode, std::string_view content) {
    ++size_.files, size_.bytes += static_cast<std::int64_t>(content.size());
    return tar_.add(name, mode, content);
  }
  Outcome add_file(const std::string& from, const std::string& name, unsigned mode) {
    const auto content = read_file(directory_ + "/" + from);
    return content ? add(name, mode, *content) : Outcome(content.error());
  }
  Outcome add_store() {
    const auto held = hold_store(directory_ + "/store");
    if (!held) return held.error();
    if (auto added = add("store/CURRENT", 0600, held->current); !added) return added;
    for (const auto& file : held->files) {
      ++size_.files, size_.bytes += file.bytes();
      if (auto added = tar_.add({"store/" + file.name(), 0600, file.bytes()}, file.handle());
          !added)
        return added;
    }
    return Done{};
  }
  Outcome finish() { return tar_.finish(); }
  const BackupSize& size() const { return size_; }

private:
  std::string directory_;
  TarWriter tar_;
  BackupSize size_;
};

Outcome write_all(BackupWriter& writer, const std::string& directory, const std::string& cell,
                  BackupKeys keys) {
  const auto facts = std::string(head) + "cell " + cell + "\nmade " + date({std::time(nullptr)}) +
                     "\nkeys " + (keys == BackupKeys::with ? "yes" : "no") + "\n";
  if (auto added = writer.add(head_file, 0600, facts); !added) return added;
  for (const auto* name : public_files)
    if (auto added = writer.add_file(name, name, 0644); !added) return added;
  if (keys == BackupKeys::with)
    for (const auto* name : secret_files)
      if (auto added = writer.add_file(name, name, 0600); !added) return added;
  if (keys == BackupKeys::with)
    for (const auto* name : later_files)
      if (fs::exists(directory + "/" + name))
        if (auto added = writer.add_file(name, name, 0600); !added) return added;
  if (auto added = writer.add_store(); !added) return added;
  const auto common = "root/" + cell + "/common";
  for (const auto& name : common_files_of(directory + "/" + common))
    if (auto added = writer.add_file(common + "/" + name, "common/" + name, 0644); !added)
      return added;
  return writer.finish();
}

} // namespace

Result<BackupSize> write_backup(const std::string& directory, BackupKeys keys, int into) {
  const auto settings = read_master_settings(directory + "/settings.toml");
  if (!settings) return settings.error();
  BackupWriter writer(directory, into);
  if (auto written = write_all(writer, directory, settings->cell, keys); !written)
    return written.error();
  return writer.size();
}

// ---- restore ------------------------------------------------------------------------------------

namespace {

class BackupReader {
public:
  explicit BackupReader(std::string directory) : directory_(std::move(directory)) {}

  Result<RestoredCell> read(int from) {
    const auto read = read_tar(from, [&](const TarEntry& entry) { return open(entry); });
    if (!read) return read.error();
    if (!is_begun_) return Error{"there is nothing in it"};
    if (auto checked = check_head(); !checked) return checked.error();
    if (auto placed = place_common(); !placed) return placed.error();
    restored_.has_new_keys = keys_ < secret_files.size();
    return restored_;
  }

private:
  // Only what a backup has, and each name once.
  Result<int> open(const TarEntry& entry) {
    if (!std::exchange(is_begun_, true) && entry.name != head_file)
      return Error{"it is no backup of a cell"};
    const auto& name = entry.name;
    const bool is_secret = is_among(secret_files, name);
    keys_ += is_secret;
    const bool is_common = name.starts_with("common/") && is_plain_name(name.substr(7));
    if (is_common) restored_.common_files.push_back(name.substr(7));
    const bool is_known = name == head_file || is_among(public_files, name) || is_secret ||
                          is_among(later_files, name) || is_common ||
                          (name.starts_with("store/") && is_store_file(name.substr(6)));
    if (!is_known) return Error{"\"" + name + "\" does not belong into a backup"};
    const unsigned mode = is_among(public_files, name) || is_common ? 0644 : 0600;
    const auto path = directory_ + "/" + name;
    const int handle = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (handle < 0) return Error{"can't make " + path + ": " + std::strerror(errno)};
    return handle;
  }

  Outcome check_head() {
    const auto text = read_file(directory_ + "/" + head_file);
    if (!text) return text.error();
    if (!text->starts_with(head)) return Error{"it is of another version of backups"};
    const auto at = text->find("\nmade ");
    if (at != std::string::npos)
      restored_.made = text->substr(at + 6, text->find('\n', at + 1) - at - 6);
    const auto settings = read_master_settings(directory_ + "/settings.toml");
    return settings ? Outcome(Done{}) : Outcome(settings.error());
  }

  // Where the master looks for them depends on the cell's name.
  Outcome place_common() {
    const auto settings = read_master_settings(directory_ + "/settings.toml");
    const auto folder = common_folder(directory_, settings->cell);
    if (!folder) return folder.error();
    std::error_code error;
    for (const auto& name : restored_.common_files) {
      fs::rename(directory_ + "/common/" + name, *folder + "/" + name, error);
      if (error) return Error{"can't place " + name + ": " + error.message()};
    }
    fs::remove(directory_ + "/common", error);
    fs::remove(directory_ + "/" + head_file, error);
    return Done{};
  }

  std::string directory_;
  RestoredCell restored_;
  bool is_begun_ = false;
  std::size_t keys_ = 0;
};

// The folder was empty: all in it is ours.
void clear(const std::string& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error))
    fs::remove_all(entry.path(), error);
}

} // namespace

Result<RestoredCell> read_backup(const std::string& directory, int from) {
  if (auto made = make_cell_folders(directory); !made) return made.error();
  if (::mkdir((directory + "/common").c_str(), 0700) != 0)
    return Error{"can't make " + directory + "/common: " + std::strerror(errno)};
  auto restored = BackupReader(directory).read(from);
  if (!restored) {
    clear(directory);
    return restored.error();
  }
  if (restored->has_new_keys) {
    const auto settings = read_master_settings(directory + "/settings.toml");
    if (auto made = make_cell_keys(directory, settings->cell); !made) return made.error();
  }
  return restored;
}

Outcome open_gap(const std::string& directory, std::int64_t gap) {
  auto journal = RocksJournal::open(directory + "/store");
  if (!journal) return journal.error();
  auto records = store::read_records(scan_of(**journal));
  if (!records) return records.error();
  auto& counters = records->counters;
  if (counters.lost_from == 0) counters.lost_from = counters.last_key + 1;
  counters.lost_to = counters.last_key += gap;
  for (auto* last : {&counters.last_job_number, &counters.last_reservation_number})
    if (*last + gap <= highest_number) *last += gap;
  if (auto checked = valid(counters); !checked) return checked;
  const auto term = (*journal)->term();
  const std::vector<store::Write> writes{
      {store::Family::meta, store::counters_key, encode(counters)}};
  if ((*journal)->commit(writes, term) != Commit::durable)
    return Error{"the store can't be written"};
  // What was decided before does not lead here.
  return renew_checkpoint(**journal, term, -1);
}

} // namespace almanac
