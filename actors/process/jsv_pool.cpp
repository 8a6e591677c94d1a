#include "actors/process/jsv_pool.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <utility>

namespace almanac {

// The last word that is a path counts: command:/bin/sh /site/jsv.sh is that script.
JsvPool::Stamp JsvPool::stamp_of(const std::string& url, const JsvUrl& meant) {
  Stamp stamp{url};
  for (const auto& word : meant.words) {
    struct stat facts {};
    if (!word.starts_with('/') || ::stat(word.c_str(), &facts) != 0) continue;
    stamp.inode = facts.st_ino, stamp.size = facts.st_size;
    // Who writes may set the other time back, and this one tells of rights, too.
    stamp.changed_ns = facts.st_ctim.tv_sec * 1'000'000'000 + facts.st_ctim.tv_nsec;
  }
  return stamp;
}

std::string JsvPool::distrust(const JsvUrl& meant) const {
  if (!meant.user.empty() && meant.user != setup_.user)
    return "the master runs as " + setup_.user + " and cannot start a JSV as " + meant.user;
  return setup_.distrust ? setup_.distrust(meant.words) : "";
}

std::string JsvPool::distrust(const std::string& url) const {
  const auto meant = parse_jsv_url(url);
  if (!meant) return meant.what();
  return meant->words.empty() ? "" : distrust(*meant);
}

JsvOutcome JsvPool::verify(const std::string& url, JsvDialogue dialogue) {
  const auto meant = parse_jsv_url(url);
  if (!meant) return {meant.what(), {}};
  if (meant->words.empty()) return {"there is no program", {}};
  if (auto why = distrust(*meant); !why.empty()) return {std::move(why), {}};
  const auto stamp = stamp_of(url, *meant);
  if (auto idle = take_idle(stamp)) {
    auto talk = dialogue;
    const auto asked = idle->ask(talk, setup_.patience);
    if (asked) put_back(stamp, std::move(idle));
    if (asked || talk.has_spoken()) return {asked ? "" : asked.what(), talk.verdict()};
  }
  auto started = JsvProcess::start({meant->words, setup_.environment, false, most_data});
  if (!started) return {started.what(), {}};
  auto process = std::make_unique<JsvProcess>(std::move(*started));
  const auto asked = process->ask(dialogue, setup_.patience);
  if (asked) put_back(stamp, std::move(process));
  return {asked ? "" : asked.what(), dialogue.verdict()};
}

// Those of another program end outside of the lock.
std::unique_ptr<JsvProcess> JsvPool::take_idle(const Stamp& stamp) {
  std::vector<Idle> others;
  const std::lock_guard lock(mutex_);
  const auto same = std::stable_partition(idle_.begin(), idle_.end(),
                                          [&](const Idle& one) { return one.stamp == stamp; });
  others.assign(std::make_move_iterator(same), std::make_move_iterator(idle_.end()));
  idle_.erase(same, idle_.end());
  if (idle_.empty()) return nullptr;
  auto process = std::move(idle_.back().process);
  idle_.pop_back();
  return process;
}

void JsvPool::put_back(const Stamp& stamp, std::unique_ptr<JsvProcess> process) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < most_idle) idle_.push_back({stamp, std::move(process)});
}

} // namespace almanac
