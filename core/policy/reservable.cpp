#include "core/policy/reservable.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr const char* decides = "PLUS_NODE_RESERVABLE";
constexpr std::size_t most_answers = 16;

// In the order of `variables` below.
enum Variable : std::size_t {
  candidate,
  allocated,
  all_nodes,
  owner,
  start,
  end,
  node_count,
  users,
  variable_count
};
AdWords words() {
  return {{"PLUS_CANDIDATE_NODE", "PLUS_ALLOCATED_NODES", "PLUS_ALL_NODES", "PLUS_RSV_OWNER",
           "PLUS_RSV_START", "PLUS_RSV_END", "PLUS_RSV_NODES", "PLUS_RSV_USERS"},
          {"plus_rsvutil"}};
}

// Most nodes have the same few architectures: their texts are shared.
class Texts {
public:
  AdValue of(const std::string& text) {
    if (text.empty()) return {};
    for (const auto& known : known_)
      if (**known.as<AdText>() == text) return known;
    auto made = ad_text(text);
    if (known_.size() < 16) known_.push_back(made);
    return made;
  }

private:
  std::vector<AdValue> known_;
};

AdValue where_known(std::int64_t amount) { return amount > 0 ? AdValue(amount) : AdValue(); }

AdList list_of(const AdValue& value) {
  const auto* list = value.as<AdList>();
  return list ? *list : AdList();
}

} // namespace

AdValue policy_nodes(const std::vector<PolicyNode>& nodes) {
  const auto names = ad_names({"name", "isAlive", "loadavg", "nRunJobs", "arch", "os", "nCpu",
                               "physMem", "idleTime", "queues"});
  Texts texts;
  std::vector<AdValue> records;
  records.reserve(nodes.size());
  for (const auto& node : nodes) {
    auto fields = std::make_shared<AdFields>();
    fields->names = names;
    fields->values = {ad_text(node.name),
                      {node.is_alive},
                      node.load ? ad_ratio(*node.load, 1'000'000) : AdValue(),
                      {node.running_jobs},
                      texts.of(node.arch),
                      texts.of(node.os),
                      where_known(node.processors),
                      where_known(node.memory_bytes),
                      node.idle_seconds ? ad_duration({*node.idle_seconds}) : AdValue(),
                      ad_texts(node.queues)};
    records.emplace_back(AdRecord(std::move(fields)));
  }
  return ad_list(std::move(records));
}

Result<Reservable> Reservable::parse(std::string_view text) {
  auto ad = parse_ad(text, words());
  if (!ad) return ad.error();
  if (!defines(*ad, decides)) return Error{std::string(decides) + " is not defined"};
  return Reservable(std::move(*ad));
}

bool Reservable::depends_on_window() const {
  return mentions(ad_, "PLUS_RSV_START") || mentions(ad_, "PLUS_RSV_END");
}

ReservableCheck::ReservableCheck(const Reservable& policy, const PolicyRequest& request,
                                 AdValue every_node, UsageOf usage, Instant now)
    : ad_(policy.ad()),
      all_(list_of(every_node)),
      allocated_(std::make_shared<std::vector<AdValue>>()),
      usage_(std::move(usage)) {
  host_.variables.resize(variable_count);
  host_.variables[allocated] = {AdList{allocated_, 0}};
  host_.variables[all_nodes] = {all_};
  host_.variables[owner] = ad_text(request.owner);
  host_.variables[start] = ad_time(request.window.start);
  host_.variables[end] = ad_time(request.window.end);
  host_.variables[node_count] = {request.nodes};
  host_.variables[users] = ad_texts(request.users);
  host_.now = now.seconds;
  host_.function = [this](const std::string&, const auto& given) { return answer(given); };
}

void ReservableCheck::set_candidate(std::size_t node) {
  check(node < all_.count, "a policy is asked about nodes that it knows");
  host_.variables[candidate] = all_.begin()[node];
}

bool ReservableCheck::admits(std::size_t node) {
  set_candidate(node);
  const auto result = evaluate(ad_, decides, host_);
  if (!result.as<bool>() && odd_result_.empty()) {
    const auto* name = find(**host_.variables[candidate].as<AdRecord>(), "name");
    const auto* error = result.as<AdError>();
    odd_result_ = **name->as<AdText>() + ": " + print_value(result, 80) +
                  (error ? std::string(", ") + error->what : "");
  }
  return result.is_true();
}

void ReservableCheck::allocate(std::size_t node) {
  check(node < all_.count, "a policy is asked about nodes that it knows");
  allocated_->push_back(all_.begin()[node]);
  host_.variables[allocated] = {AdList{allocated_, allocated_->size()}};
}

std::vector<AdReason> ReservableCheck::reasons(std::size_t node) {
  set_candidate(node);
  return why_not(ad_, decides, host_);
}

// plus_rsvutil(owner, start, end): {count, total duration, node-hours}.
std::optional<AdValue> ReservableCheck::answer(const std::vector<AdValue>& given) {
  const auto* who = given.size() == 3 ? given[0].as<AdText>() : nullptr;
  const auto from = who ? instant_of(given[1]) : std::nullopt;
  const auto to = from ? instant_of(given[2]) : std::nullopt;
  if (!to || !usage_) return {};
  const Window within{*from, *to};
  const auto known = std::find_if(answered_.begin(), answered_.end(), [&](const Answered& one) {
    return one.owner == **who && one.within == within;
  });
  if (known != answered_.end()) return known->usage;
  const auto usage = usage_(**who, within);
  auto answered =
      ad_list({{usage.count}, ad_duration(usage.total), ad_ratio(usage.node_seconds, 3'600)});
  if (answered_.size() < most_answers) answered_.push_back({**who, within, answered});
  return answered;
}

std::optional<std::vector<std::size_t>>
choose(ReservableCheck& check, const std::vector<std::size_t>& candidates, std::size_t wanted) {
  std::vector<std::size_t> chosen;
  for (const auto node : candidates) {
    if (chosen.size() == wanted) break;
    if (!check.admits(node)) continue;
    check.allocate(node);
    chosen.push_back(node);
  }
  return chosen.size() == wanted ? std::optional(chosen) : std::nullopt;
}

} // namespace almanac
