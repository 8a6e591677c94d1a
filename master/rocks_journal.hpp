// The journal port on RocksDB: one column family for each family of records.
#pragma once

#include "actors/ports/journal.hpp"
#include "core/base/result.hpp"
#include "master/ballast.hpp"

#include <memory>
#include <string>

namespace almanac {

class RocksJournal : public Journal {
public:
  /// Makes an empty store of this version's format with these first writes; an error if there is
  /// one already.
  static Outcome create(const std::string& path, const std::vector<store::Write>& first);
  /// Opens for writing and takes a new term, durable before it returns: later than the last one,
  /// and the time of this start where that is later. So a store that comes back from a backup has a
  /// term that no host has heard of. A store of a newer format is refused; one of an earlier format
  /// is brought to ours (master/upgrade).
  static Result<std::unique_ptr<RocksJournal>> open(const std::string& path);
  /// Opens without taking a term, to look; nothing can be committed. A store of another format is
  /// refused.
  static Result<std::unique_ptr<RocksJournal>> open_to_read(const std::string& path);
  /// Brings a store whose log is damaged back to the last batch before the damage. The logs as they
  /// were are kept in PATH.damaged, which must not be there.
  static Outcome recover(const std::string& path);
  ~RocksJournal() override;

  Term term() const { return term_; }
  const std::string& store_id() const { return store_id_; }
  const std::string& path() const { return path_; }

  /// For upgrades. The format of what is stored, until it is set to ours, durably, with these writes.
  std::int64_t format() const { return format_; }
  Outcome set_format(std::vector<store::Write> with);
  /// Does not wait for the disk: it is durable with the next commit that is.
  Outcome write(const std::vector<store::Write>& batch);
  /// The store as it is now at another path of the same disk: files that no longer change are shared.
  Outcome copy_to(const std::string& path) const;
  /// Reads all files and compares their checksums.
  Outcome verify() const;
  /// On the disk, roughly.
  std::uint64_t bytes_of(store::Family family) const;

  Commit commit(const std::vector<store::Write>& batch, Term term) override;
  std::optional<std::string> get(store::Family family, const std::string& key) const override;
  void scan_from(store::Family family, const std::string& from, const Visit& visit) const override;
  std::optional<std::string> last(store::Family family) const override;
  std::shared_ptr<const Archive> snapshot() const override;
  bool has_space() const override;

private:
  struct Store;
  class Snapshot;
  explicit RocksJournal(std::unique_ptr<Store> store);
  Outcome read_meta();
  bool put(const std::vector<store::Write>& batch, bool durably);

  std::unique_ptr<Store> store_;
  std::string path_;
  std::unique_ptr<Ballast> ballast_;
  Term term_;
  std::int64_t format_ = 0;
  std::string store_id_;
};

} // namespace almanac
