// A site as a coordinator sees it: it answers lines as docs/spec/metascheduler.md sections 3, 4 and
// 7 say, keeps what it acknowledged, and lets holds lapse. It has some nodes, of which others have
// taken some for a while. It takes no time, so that a test may try each point.
#pragma once

#include "core/coallocation/site_answer.hpp"
#include "core/coallocation/common_starts.hpp"
#include "core/text/token_list.hpp"
#include "tools/simulator/coallocation/trial_site.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace almanac {

class ModelledSite {
public:
  using State = HoldState;
  struct Grant {
    std::int64_t id, start, end, nodes, until;
    State state;
    std::string transaction, answer;
    std::int64_t settled = 0; ///< when it was committed, aborted or released; 0: it is held
  };

  ModelledSite(std::int64_t nodes, std::int64_t ahead_ms) : nodes_(nodes), ahead_ms_(ahead_ms) {}

  void take(std::int64_t start, std::int64_t end, std::int64_t nodes) {
    others_.push_back({0, start, end, nodes, 0, State::committed, "", "", 0});
  }

  /// Its holds end by themselves; also those that are overdue after a restart, before anything
  /// else.
  void let_lapse(std::int64_t now_ms) {
    for (auto& grant : grants_) {
      const auto end = std::min(grant.until, grant.start);
      if (grant.state == State::held && clock(now_ms) >= end)
        grant.state = State::aborted, grant.settled = end;
    }
  }

  std::vector<std::string> answer(const std::string& line, std::int64_t now_ms) {
    let_lapse(now_ms);
    const auto blank = line.find(' ');
    const auto verb = line.substr(0, blank);
    const auto tokens = parse_token_list(line.substr(blank + 1));
    if (!tokens) return {"SC=-10"};
    if (verb == "HELLO")
      return {"SC=0;SITE=model;VERSION=1;NOW=" + std::to_string(clock(now_ms)) + ";VERBS=SETRES"};
    if (verb == "RESQUERY") return ranges(*tokens);
    if (verb == "SETRES") return {set(*tokens, now_ms)};
    return {change(verb, *tokens, clock(now_ms))};
  }

  std::vector<SiteHold> holds() const {
    std::vector<SiteHold> holds;
    for (const auto& grant : grants_) {
      const auto id = std::to_string(grant.id);
      holds.push_back({"R" + id, grant.transaction, Instant{grant.start},
                       std::min(grant.until, grant.start) * 1000 - ahead_ms_,
                       grant.end * 1000 - ahead_ms_, grant.state, "v1.k" + id,
                       (grant.settled + remembered) * 1000 - ahead_ms_});
    }
    return holds;
  }

private:
  static constexpr std::int64_t remembered = 3600; // seconds after its end (M5.8)

  // Whoever asks gets no other answer than for one that there never was.
  static bool is_forgotten(const Grant& grant, std::int64_t now) {
    return grant.settled > 0 && now > grant.settled + remembered;
  }

  std::int64_t clock(std::int64_t now_ms) const { return (now_ms + ahead_ms_) / 1000; }

  static std::int64_t number(const std::vector<Attribute>& tokens, const char* name) {
    const auto* const text = find_token(tokens, name);
    return text ? std::stoll(*text) : 0;
  }

  bool is_free(std::int64_t start, std::int64_t end, std::int64_t wanted) const {
    std::vector<const Grant*> there;
    for (const auto* list : {&others_, &grants_})
      for (const auto& grant : *list)
        if ((grant.state == State::held || grant.state == State::committed) && grant.start < end &&
            start < grant.end)
          there.push_back(&grant);
    const auto taken_at = [&](std::int64_t at) {
      std::int64_t taken = wanted;
      for (const auto* grant : there)
        if (grant->start <= at && at < grant->end) taken += grant->nodes;
      return taken;
    };
    // More is taken only where one of them begins.
    return taken_at(start) <= nodes_ &&
           std::all_of(there.begin(), there.end(), [&](const Grant* grant) {
             return grant->start < start || taken_at(grant->start) <= nodes_;
           });
  }

  std::vector<std::string> ranges(const std::vector<Attribute>& tokens) const {
    const auto window = *find_token(tokens, "TIMESPEC");
    const auto first = std::stoll(window.substr(window.find('=') + 1));
    const auto last = std::stoll(window.substr(window.rfind('=') + 1));
    SiteRanges found;
    for (auto start = first; start <= last; ++start)
      if (is_free(start, start + number(tokens, "TIMENEEDED"), number(tokens, "NODES")))
        found.push_back({Instant{start}, Instant{start}});
    found = in_order(found);
    std::vector<std::string> lines{"SC=0;COUNT=" + std::to_string(found.size())};
    for (const auto& range : found)
      lines.push_back("SC=0;STIME=" + std::to_string(range.first.seconds) +
                      ";ENDSTIME=" + std::to_string(range.last.seconds));
    return lines;
  }

  // M5.8: the same TXID gets the first answer.
  std::string set(const std::vector<Attribute>& tokens, std::int64_t now_ms) {
    const auto transaction = *find_token(tokens, "TXID");
    for (const auto& grant : grants_)
      if (grant.transaction == transaction && !is_forgotten(grant, clock(now_ms)))
        return grant.answer;
    const auto start = number(tokens, "STARTTIME"), end = start + number(tokens, "TIMENEEDED");
    if (start < clock(now_ms)) return "SC=-13;SETRES=0;MSG=bad value for STARTTIME";
    if (!is_free(start, end, number(tokens, "NODES"))) return "SC=-30;SETRES=0;MSG=no capacity";
    const auto id = static_cast<std::int64_t>(grants_.size()) + 1;
    const auto until = clock(now_ms) + number(tokens, "HOLD");
    const auto answer = "SC=0;SETRES=1;RESID=R" + std::to_string(id) + ";RESKEY=v1.k" +
                        std::to_string(id) + ";HOLDUNTIL=" + std::to_string(until);
    grants_.push_back(
        {id, start, end, number(tokens, "NODES"), until, State::held, transaction, answer, 0});
    return answer;
  }

  // M3.42; what is over is there no more.
  static std::string status(const Grant& grant, std::int64_t now) {
    const bool is_there =
        grant.state == State::held || (grant.state == State::committed && now < grant.end);
    if (!is_there) return "SC=-40;MSG=unknown reservation";
    const auto* const state = grant.state == State::held ? "HELD"
                              : now < grant.start        ? "WAITING"
                                                         : "RUNNING";
    return std::string("SC=0;STATE=") + state + ";STARTTIME=" + std::to_string(grant.start) +
           ";ENDTIME=" + std::to_string(grant.end) + ";NODES=" + std::to_string(grant.nodes);
  }

  // COMMIT and ABORT may be repeated for an hour.
  std::string change(const std::string& verb, const std::vector<Attribute>& tokens,
                     std::int64_t now) {
    const auto* const id = find_token(tokens, "RESID");
    if (!id) return "SC=-12;MSG=missing token RESID";
    for (auto& grant : grants_) {
      if (*id != "R" + std::to_string(grant.id)) continue;
      if (verb == "STATUS") return status(grant, now);
      if (verb != "RELEASE" && is_forgotten(grant, now))
        return "SC=-42;MSG=hold expired or aborted";
      if (verb == "COMMIT") {
        if (grant.state == State::held) grant.state = State::committed, grant.settled = now;
        if (grant.state == State::committed) return "SC=0;STATE=COMMITTED";
        return grant.state == State::released ? "SC=-40" : "SC=-42;MSG=hold expired or aborted";
      }
      if (verb == "ABORT") {
        if (grant.state == State::committed || grant.state == State::released) return "SC=-43";
        if (grant.state == State::held) grant.state = State::aborted, grant.settled = now;
        return "SC=0;STATE=ABORTED";
      }
      if (grant.state != State::committed || now >= grant.end) return "SC=-40";
      grant.state = State::released, grant.settled = now;
      return "SC=0;STATE=RELEASED";
    }
    return "SC=-40;MSG=unknown reservation";
  }

  std::int64_t nodes_, ahead_ms_;
  std::vector<Grant> others_, grants_;
};

} // namespace almanac
