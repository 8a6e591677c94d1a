// A store in memory, and actors that ask and keep what they are answered.
#pragma once

#include "actors/ports/journal.hpp"
#include "actors/ports/notebook.hpp"
#include "tests/actors/actor_fixture.hpp"

#include <map>
#include <optional>

namespace almanac {

class MemoryStore : public Journal {
public:
  Commit commit(const std::vector<store::Write>& batch, Term) override {
    if (next != Commit::durable) return next;
    for (const auto& write : batch) {
      if (write.value) families[write.family][write.key] = *write.value;
      else families[write.family].erase(write.key);
    }
    return Commit::durable;
  }
  std::optional<std::string> get(store::Family family, const std::string& key) const override {
    const auto of_family = families.find(family);
    if (of_family == families.end()) return std::nullopt;
    const auto entry = of_family->second.find(key);
    return entry == of_family->second.end() ? std::nullopt : std::optional(entry->second);
  }
  void scan_from(store::Family family, const std::string& from, const Visit& visit) const override {
    const auto of_family = families.find(family);
    if (of_family == families.end()) return;
    for (auto it = of_family->second.lower_bound(from); it != of_family->second.end(); ++it)
      if (!visit(it->first, it->second)) return;
  }
  std::optional<std::string> last(store::Family family) const override {
    const auto of_family = families.find(family);
    if (of_family == families.end() || of_family->second.empty()) return std::nullopt;
    return of_family->second.rbegin()->second;
  }
  std::shared_ptr<const Archive> snapshot() const override {
    return std::make_shared<MemoryStore>(*this);
  }
  bool has_space() const override { return space; }

  std::map<store::Family, std::map<std::string, std::string>> families;
  Commit next = Commit::durable;
  bool space = true;
};

class ListedNotebook : public Notebook {
public:
  void note(std::string_view request) override { noted.emplace_back(request); }
  bool is_poison(const std::string& request) const override { return request == poison; }
  int crashes_over(const std::string&) const override { return 0; }

  std::vector<std::string> noted;
  std::string poison;
};

/// Asks, and keeps the answer once it has come.
template <class Answered, class Handle, class Question> std::shared_ptr<std::optional<Answered>>
ask(ActorFixture& fixture, const Handle& whom, Question question) {
  auto answer = std::make_shared<std::optional<Answered>>();
  fixture.keep(fixture.system.spawn([=](caf::event_based_actor* self) {
    self->request(whom, caf::infinite, question)
        .then([answer](const Answered& said) { *answer = said; }, [](const caf::error&) {});
  }));
  fixture.settle();
  return answer;
}

} // namespace almanac
