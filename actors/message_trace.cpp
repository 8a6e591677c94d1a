#include "actors/message_trace.hpp"

#include "actors/messages.hpp"
#include "core/planning/input_summary.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <typeinfo>

namespace almanac {

namespace {

// Without the namespace that all of ours are in.
std::string plain_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  std::string text = status == 0 ? name.get() : mangled;
  if (const std::string ours = "almanac::"; text.starts_with(ours)) text.erase(0, ours.size());
  return text;
}

template <class Variant> std::string name_of(const Variant& variant) {
  return std::visit([](const auto& held) { return plain_name(typeid(held).name()); }, variant);
}

std::string detail_of(const caf::type_erased_tuple& content) {
  if (content.match_elements<Tell>())
    return summary_of({0, {}, 0, *content.get_as<Tell>(0).input, 0}).what;
  if (content.match_elements<HandleCommand>())
    return name_of(content.get_as<HandleCommand>(0).command->body) + " by " +
           content.get_as<HandleCommand>(0).command->caller.user;
  if (content.match_elements<Say>()) return name_of(content.get_as<Say>(0).message);
  if (content.match_elements<SessionSaid>())
    return name_of(*content.get_as<SessionSaid>(0).message);
  if (content.match_elements<SessionDown>()) return content.get_as<SessionDown>(0).reason;
  if (content.match_elements<Packet>())
    return content.get_as<Packet>(0).sequence == 0 ? "a heartbeat" : "content";
  return {};
}

} // namespace

std::string words_for(const caf::type_erased_tuple& content) {
  if (content.size() == 0) return "nothing";
  const auto type = content.type(0);
  const auto name = content.match_elements<Packet>() ? std::string("Packet")
                    : type.second                    ? plain_name(type.second->name())
                                                     : "message " + std::to_string(type.first);
  const auto detail = detail_of(content);
  return detail.empty() ? name : name + ": " + detail;
}

void MessageTrace::note(std::uint64_t actor, std::uint64_t sender,
                        const caf::type_erased_tuple& content) {
  const std::lock_guard lock(mutex_);
  // Also those of actors that have ended: nothing would ever be noted of them again.
  const auto now = std::chrono::steady_clock::now();
  if (std::erase_if(rings_, [&](const auto& ring) { return now > ring.second.until; }) > 0)
    followed_ = rings_.size();
  const auto it = rings_.find(actor);
  if (it == rings_.end()) return;
  auto& ring = it->second;
  const auto at = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  ring.kept.push_back(
      {++ring.last, at.count(), static_cast<std::int64_t>(sender), words_for(content)});
  if (ring.kept.size() > most_kept) ring.kept.pop_front();
}

std::vector<door::TracedMessage> MessageTrace::read(std::uint64_t actor, std::int64_t after) {
  const std::lock_guard lock(mutex_);
  auto& ring = rings_[actor];
  ring.until = std::chrono::steady_clock::now() + patience;
  followed_ = rings_.size();
  std::vector<door::TracedMessage> news;
  for (const auto& message : ring.kept)
    if (message.sequence > after) news.push_back(message);
  return news;
}

MessageTrace& message_trace() {
  static MessageTrace trace;
  return trace;
}

} // namespace almanac
