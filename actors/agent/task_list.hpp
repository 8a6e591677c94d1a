// The tasks on this host, and what the master has been told of them.
//
//   unregistered --list()--> listed --registered()--> registered      each --lost()--> unregistered
//
// 1. In each session the master hears all tasks once, as a list. What happens between the list and
//    its verdicts is told after them, what happens later at once.
// 2. A master with an older term than before is not obeyed: welcome() is an error.
#pragma once

#include "schema/session_messages.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class TaskList {
public:
  /// Who the master is from now on, as tasks that begin then are told.
  Outcome welcome(const session::Welcome& master);
  /// All tasks, for the master that was welcomed last.
  std::vector<session::TaskReport> list();
  /// The master has given its verdicts; returns what has changed since the list.
  std::vector<session::TaskReport> registered();
  void lost() { is_registered_ = false; }
  bool is_registered() const { return is_registered_; }
  Term term() const { return term_; }

  /// A task that was here before this process.
  void adopt(const session::TaskReport& report) { tasks_[report.attempt] = report; }
  /// A task that the master orders now. It is news to nobody.
  void begin(const Attempt& attempt);
  /// nullptr if it is not here.
  const session::TaskReport* find(const Attempt& attempt) const;
  bool contains(const Attempt& attempt) const { return tasks_.contains(attempt); }
  /// What became of a task that is here. Until the master has registered this host it is kept for
  /// registered(); then it has to be told at once.
  void change(const session::TaskReport& report);
  void forget(const Attempt& attempt) { tasks_.erase(attempt); }

  std::size_t size() const { return tasks_.size(); }
  std::vector<session::TaskReport> all() const;

private:
  std::string store_id_; ///< of the master, as term_
  Term term_;
  bool is_registered_ = false;
  std::map<Attempt, session::TaskReport> tasks_;
  std::set<Attempt> changed_since_list_;
};

} // namespace almanac
