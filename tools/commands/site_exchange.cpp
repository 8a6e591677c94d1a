#include "tools/commands/site_exchange.hpp"

#include "core/request/site_request.hpp"
#include "core/text/values.hpp"
#include "tools/client/client.hpp"
#include "tools/commands/reservation_key.hpp"
#include "tools/commands/site_reply.hpp"

#include <filesystem>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t missing = -12, bad_value = -13, no_reservation = -40, bad_key = -51,
                       busy = -60;
constexpr const char* retry_after = "10"; // seconds

// What the master says to one request; where it says nothing, why.
struct Heard {
  std::optional<Answer> answer;
  std::string why{};
};

// ---- what the master says ------------------------------------------------------------------------

const Statement* find(const Answer& answer, AnswerCode code) {
  for (const auto& statement : answer.statements)
    if (statement.code == code) return &statement;
  return nullptr;
}
Instant time(const Statement& statement, const char* name) {
  const auto* detail = statement.find(name);
  return {detail ? detail->number : 0};
}
std::string text_of(Instant at) { return std::to_string(at.seconds); }

SiteFindings starts_of(const Answer& answer) {
  SiteFindings found;
  for (const auto& said : answer.statements)
    if (said.code == AnswerCode::start_range)
      found.ranges.emplace_back(time(said, "first"), time(said, "last"));
  return found;
}

SiteFindings state_of(const Answer& answer) {
  const auto* said = find(answer, AnswerCode::meta_reservation_state);
  if (!said) return {};
  const auto* state = said->find("state");
  SiteFindings found;
  found.tokens = {{"STATE", state ? state->text : ""},
                  {"STARTTIME", text_of(time(*said, "start"))},
                  {"ENDTIME", text_of(time(*said, "end"))},
                  {"NODES", text_of(time(*said, "nodes"))}};
  if (said->find("until")) found.tokens.push_back({"HOLDUNTIL", text_of(time(*said, "until"))});
  return found;
}

// With the token that the line has for the resource that it is about.
ggf::Status status_of(const SiteLine& line, const Answer& answer) {
  auto status = ggf::status_of(answer);
  const auto resource = ggf::refused_resource(answer);
  if (resource.empty()) return status;
  const auto token = token_of_resource(line, resource);
  // A cell without that complex knows no job that has hosts for itself (ruling D105).
  const bool is_known_to_reservations = token == "EXCLUSIVE";
  if (status.code != bad_value && !is_known_to_reservations) return status;
  return ggf::status(bad_value, token);
}

class Exchange {
public:
  Exchange(Context& context, const SiteLine& line, SiteRequest request, const SiteSubject& subject,
           std::string key_file)
      : context_(context),
        line_(line),
        request_(std::move(request)),
        key_file_(std::move(key_file)) {
    whom_.user.user = request_.user.empty() ? subject.user : request_.user;
    whom_.subject = subject.name;
  }

  SiteReply reply() {
    const bool is_for_nobody = !whom_.subject.empty() && whom_.user.user.empty();
    if (is_for_nobody && !std::holds_alternative<SiteHello>(request_.meaning))
      return bad_reply(line_, ggf::status(missing, "USER"));
    return std::visit([this](auto& meaning) { return serve(meaning); }, request_.meaning);
  }
  SiteReply reply_to(SpendChallenge trial) {
    return run(trial, [](const Answer&) { return SiteFindings{}; });
  }
  SiteReply without_key(const std::string& why) const {
    return because(refused(ggf::status(bad_key)), why);
  }

private:
  using Use = std::function<SiteFindings(const Answer&)>;

  // ---- the master -------------------------------------------------------------------------------

  SiteReply ask(door::RequestBody body, const Use& use) {
    const auto heard = call(std::move(body));
    if (!heard.answer) return because(refused(ggf::status(busy)), heard.why);
    const auto status = status_of(line_, *heard.answer);
    return status.code == 0 ? good_reply(line_, use(*heard.answer)) : refused(status);
  }
  static SiteReply because(SiteReply reply, const std::string& why) {
    reply.cause = why;
    return reply;
  }
  SiteReply refused(const ggf::Status& status) const {
    if (status.code != busy) return bad_reply(line_, status);
    return bad_reply(line_, status, {{"RETRYAFTER", retry_after}});
  }
  std::vector<OnBehalf> whom() const {
    return whom_.user.user.empty() ? std::vector<OnBehalf>{} : std::vector{whom_};
  }
  // With the key of the reservation that it is about, if there is one.
  SiteReply run(CommandBody body, const Use& use) {
    auto command = claiming(context_, std::move(body), key_file_, whom());
    if (command) return ask(std::move(*command), use);
    const auto& why = command.error();
    if (why.answer) return without_challenge(*why.answer);
    return because(refused(ggf::status(why.is_unreached ? busy : bad_key)), why.text);
  }
  // A key that was changed may name another reservation, or one that is not there (M6.21).
  SiteReply without_challenge(const Answer& refusal) {
    const auto* id = line_.find("RESID");
    const bool is_bad = id ? is_key_for_another(*id) : is_bad_key();
    return refused(is_bad ? ggf::status(bad_key) : status_of(line_, refusal));
  }
  bool is_key_for_another(const std::string& id) const {
    const auto named = parse_reservation_id(id), own = number_of_key(context_, key_file_);
    return !named || !own || *named != *own;
  }
  bool is_bad_key() {
    auto trial = shown_without_challenge(context_, key_file_);
    if (!trial) return true;
    const auto heard = call(std::move(*trial));
    return heard.answer && ggf::status_of(*heard.answer).code == bad_key;
  }
  Heard call(door::RequestBody body) const {
    Heard heard;
    const auto outcome = context_.door.call(std::move(body), [&](door::ReplyBody& frame) {
      if (auto* answer = std::get_if<Answer>(&frame)) heard.answer = std::move(*answer);
    });
    if (!outcome) heard = {{}, outcome.what()};
    return heard;
  }

  // ---- what was reserved ------------------------------------------------------------------------

  SiteFindings grant_of(const Answer& answer) {
    SiteFindings found;
    found.tokens = {{"SETRES", "1"}, {"RESID", "R" + std::to_string(answer.number)}};
    const auto* held = find(answer, AnswerCode::meta_reservation_held);
    const auto* said = held ? held : find(answer, AnswerCode::meta_reservation_granted);
    if (!said) return found;
    found.start = time(*said, "start");
    if (held) found.tokens.push_back({"HOLDUNTIL", text_of(time(*held, "until"))});
    if (const auto* state = said->find("state")) found.info = "state=" + state->text;
    // Who has reserved it already keeps it, also where the key cannot be had now: it is asked for
    // again with the same TXID.
    if (auto key = reservation_key_text(context_, {answer.number}, whom_))
      found.key = std::move(*key);
    return found;
  }

  // ---- verbs ------------------------------------------------------------------------------------

  SiteReply serve(WhenQuery& query) {
    query.whom = whom_;
    return ask(door::AskWhen{std::move(query)}, [](const Answer& answer) {
      SiteFindings found;
      if (const auto* at = find(answer, AnswerCode::would_start_at)) found.start = time(*at, "at");
      const auto* bound = find(answer, AnswerCode::would_start_later_than);
      if (bound) found.start = time(*bound, "at"), found.info = "bound"; // M4.5
      return found;
    });
  }
  SiteReply serve(StartsQuery& query) {
    query.whom = whom_;
    return ask(door::AskStarts{std::move(query)}, starts_of);
  }
  SiteReply serve(ReserveEarliest& command) {
    command.prepare.with_key = true;
    return run(std::move(command), [this](const Answer& answer) { return grant_of(answer); });
  }
  SiteReply serve(SettleReservation& command) {
    const auto* state = command.commit ? "COMMITTED" : "ABORTED";
    return change(std::move(command), state);
  }
  // What is over has a record for a while, which plus_destroy removes without a key (M7.5).
  SiteReply serve(DeleteReservations& command) {
    RemoveReservations record{command.targets, {}, ReservationVerb::destroy};
    auto released = change(std::move(command), "RELEASED");
    if (released.status != no_reservation) return released;
    key_file_.clear();
    return change(std::move(record), "RELEASED");
  }
  // One that is over is there, but nothing of it can be changed (M8.18).
  SiteReply serve(PrepareReservation& command) {
    const auto number = command.number;
    auto changed = run(std::move(command), [](const Answer&) { return SiteFindings{}; });
    if (changed.status != 0) return changed;
    return ask(door::AskSite{whom_, number}, state_of);
  }
  SiteReply change(CommandBody body, const char* state) {
    return run(std::move(body), [state](const Answer&) {
      SiteFindings found;
      found.tokens = {{"STATE", state}};
      return found;
    });
  }
  SiteReply serve(SiteStatusOf& asked) {
    return ask(door::AskSite{whom_, asked.reservation}, state_of);
  }
  // M6.6
  SiteReply serve(SiteChallenge& asked) {
    return ask(door::RunCommand{IssueChallenge{asked.reservation}, {}, whom()},
               [](const Answer& answer) {
                 const auto* said = find(answer, AnswerCode::challenge_issued);
                 const auto* nonce = said ? said->find("nonce") : nullptr;
                 SiteFindings found;
                 found.tokens = {{"NONCE", nonce ? nonce->text : ""}};
                 return found;
               });
  }
  SiteReply serve(SiteHello&) {
    const auto common = std::filesystem::path(find_cell(context_.environment).common);
    return ask(door::AskSite{whom_, {}}, [&](const Answer& answer) {
      const auto* said = find(answer, AnswerCode::site_time);
      SiteFindings found;
      found.tokens = {{"SITE", common.parent_path().filename().string()},
                      {"VERSION", "1"},
                      {"NOW", text_of(said ? time(*said, "now") : Instant{})},
                      {"VERBS", site_verb_names()}};
      return found;
    });
  }

  Context& context_;
  const SiteLine& line_;
  SiteRequest request_;
  OnBehalf whom_;        ///< whom the caller acts for, and the subject that has asked the port to
  std::string key_file_; ///< with the key of the reservation; "": none
};

} // namespace

SiteReply answer_line(Context& context, std::string_view line, const std::string& key_file,
                      const SiteSubject& subject) {
  const auto reading = parse_site_line(line);
  if (reading.refusal)
    return bad_reply(reading.line, {reading.refusal->status, reading.refusal->message});
  auto request = site_request(reading.line, "");
  if (!request) return bad_reply(reading.line, {request.error().status, request.error().message});
  return Exchange(context, reading.line, std::move(*request), subject, key_file).reply();
}

SiteReply try_key(Context& context, const std::string& key_file) {
  const SiteLine no_line;
  Exchange exchange(context, no_line, {}, {}, key_file);
  const auto number = number_of_key(context, key_file);
  return number ? exchange.reply_to({*number}) : exchange.without_key(number.what());
}

} // namespace almanac
