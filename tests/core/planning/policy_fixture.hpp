// The conditions of a site on the hosts of a reservation (spec/plus.md section 7), through the planner.
#pragma once

#include "core/answer/ggf.hpp"
#include "nodes_fixture.hpp"

#include <fstream>
#include <sstream>
#include <utility>

namespace almanac {

constexpr std::int64_t minute = 60, hour = 3'600, day = 86'400;

class GivenConditionsOfTheSite : public NodesFixture {
public:
  Decisions handle(const Input& input) override {
    inputs_.emplace_back(input, now);
    return NodesFixture::handle(input);
  }
  Decisions write(const std::string& text) { return handle(SiteFileRead{"reservable.ad", text}); }
  Decisions condition(const std::string& text) { return write("PLUS_NODE_RESERVABLE = " + text); }
  /// One of share/plus.
  void sample(const std::string& name) {
    std::ifstream file(ALMANAC_POLICIES + name);
    std::stringstream text;
    text << file.rdbuf();
    ASSERT_TRUE(write(text.str()).warnings.empty());
    ASSERT_NE(planner.state().site_policy().conditions(), nullptr);
  }
  void named_hosts(const std::vector<std::string>& names) {
    for (const auto& name : names) {
      ASSERT_EQ(command(root, AddHost{name, 1}).exit_code, 0);
      register_host(name);
    }
  }
  void load(const std::string& host, std::int64_t hundredths) {
    tell(LoadChanged{host, {hundredths, hundredths, hundredths, -1, -1, -1, -1}});
  }
  Caller user(const std::string& name) {
    allow(name);
    return {name, "users", 2000, 2000, "master"};
  }
  /// What plus_availnodes says: "a,b", or "" for none.
  std::string free_nodes(const Caller& who, const ReservationRequest& request) {
    const auto answer = ask(FindNodes{who, request});
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    const auto* nodes = answer.statements.front().find("nodes");
    return nodes ? nodes->text : "";
  }
  /// As many hosts as the user may have at most, one by one and by plus_availnodes.
  std::int64_t most(const Caller& who, std::int64_t lead, std::int64_t length,
                    std::int64_t of = 10) {
    const auto free = ask(FindNodes{who, whole(1, lead, length)}).number;
    for (auto count = of; count > 0; --count) {
      const auto answer = prepare(who, whole(count, lead, length), 60);
      if (answer.exit_code != 0) {
        EXPECT_TRUE(is_by_site(answer)) << text(answer);
        continue;
      }
      EXPECT_EQ(free, count);
      EXPECT_EQ(settle(who, answer.number, false).exit_code, 0);
      return count;
    }
    EXPECT_EQ(free, 0);
    return 0;
  }
  static bool is_by_site(const Answer& answer) {
    return answer.exit_code == 1 && ggf::status_of(answer).code == -22;
  }
  bool may(const Caller& who, const ReservationRequest& request) {
    const auto answer = prepare(who, request, 60);
    if (answer.exit_code != 0) {
      EXPECT_TRUE(is_by_site(answer)) << text(answer);
      return false;
    }
    EXPECT_EQ(settle(who, answer.number, false).exit_code, 0);
    return true;
  }
  const SiteFile* file() const { return planner.state().records().find<SiteFile>("reservable.ad"); }
  /// What all inputs come to, decided again.
  std::uint64_t replayed() const {
    auto again = Planner::restore(Planner::initial_records("root", "master"));
    for (const auto& [input, at] : inputs_)
      again->handle(std::get<ValidInput>(validated_input(input)), at);
    return again->digest();
  }
  ReserveEarliest earliest(std::int64_t nodes, std::int64_t length = hour) const {
    ReserveEarliest command;
    auto& request = command.prepare.request;
    request.nodes = nodes, request.whole_nodes = true;
    request.duration = {length}, request.has_duration = true;
    return command;
  }
  /// "[1,3600]", seconds from now on.
  std::string starts(const Caller& who, std::int64_t nodes, std::int64_t latest) {
    StartsQuery query;
    query.request = earliest(nodes).prepare.request;
    query.search.latest = now + Duration{latest};
    std::string text;
    for (const auto& said : ask(AskStarts{who, query}).statements) {
      const auto since = [&](const char* name) {
        return std::to_string(said.find(name)->number - now.seconds);
      };
      text += (text.empty() ? "[" : " [") + since("first") + "," + since("last") + "]";
    }
    return text;
  }

private:
  std::vector<std::pair<Input, Instant>> inputs_;
};

} // namespace almanac
