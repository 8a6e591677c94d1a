// What the planner takes: facts, moments, and requests of people that were found valid.
//
// Whoever sends a request may send anything (core/request/valid.hpp). So a request is handed to the
// planner as a Valid one, and validated() alone makes these: the gate, a replay of the journal and
// the simulator ask the same, and nobody can forget it. Facts come from the inside: what agents say
// was looked through in their sessions (schema/valid_message.hpp).
#pragma once

#include "core/answer/answer.hpp"
#include "core/planning/input.hpp"
#include "core/planning/question.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace almanac {

/// Whether somebody outside has sent it.
template <class T> inline constexpr bool is_request =
    std::is_same_v<T, Command> || std::is_same_v<T, VerifySubmit> ||
    std::is_same_v<T, VerifyReserve> || std::is_same_v<T, VerifyAlterReservation> ||
    std::is_same_v<T, VerifyConfigure> || std::is_same_v<T, AskWhen> ||
    std::is_same_v<T, AskStarts> || std::is_same_v<T, AskSite> || std::is_same_v<T, FindNodes>;

/// A request that was found valid. Copies share it.
template <class Request> class Valid {
public:
  static_assert(is_request<Request>);
  Valid() = default; ///< none yet: it must not be looked at
  const Request& operator*() const {
    check(request_ != nullptr, "a request is looked at once it was found valid");
    return *request_;
  }
  const Request* operator->() const { return &**this; }

private:
  explicit Valid(Request request) : request_(std::make_shared<Request>(std::move(request))) {}
  std::shared_ptr<const Request> request_;

  template <class T> friend std::variant<Valid<T>, Answer> validated(T request);
};

/// The request, found valid, or the answer to who sent it, in the words of their tool.
template <class T> std::variant<Valid<T>, Answer> validated(T request);
extern template std::variant<Valid<Command>, Answer> validated(Command);
extern template std::variant<Valid<VerifySubmit>, Answer> validated(VerifySubmit);
extern template std::variant<Valid<VerifyReserve>, Answer> validated(VerifyReserve);
extern template std::variant<Valid<VerifyAlterReservation>, Answer>
    validated(VerifyAlterReservation);
extern template std::variant<Valid<VerifyConfigure>, Answer> validated(VerifyConfigure);
extern template std::variant<Valid<AskWhen>, Answer> validated(AskWhen);
extern template std::variant<Valid<AskStarts>, Answer> validated(AskStarts);
extern template std::variant<Valid<AskSite>, Answer> validated(AskSite);
extern template std::variant<Valid<FindNodes>, Answer> validated(FindNodes);

/// One of several kinds; those that are requests were found valid.
template <class Kinds> class ValidOneOf {
public:
  template <class Request>
  requires is_request<Request> ValidOneOf(const Valid<Request>& request) : one_(*request) {}
  template <class Fact>
  requires(!is_request<Fact> && std::is_constructible_v<Kinds, Fact> &&
           !std::is_same_v<Fact, Kinds>) ValidOneOf(Fact fact)
      : one_(std::move(fact)) {}

  const Kinds& operator*() const& { return one_; }
  Kinds&& operator*() && { return std::move(one_); }

private:
  Kinds one_;
};
using ValidInput = ValidOneOf<Input>;
using ValidQuestion = ValidOneOf<Question>;

/// Of a journal, say: a command is looked through, whatever else it is stays as it is.
std::variant<ValidInput, Answer> validated_input(Input input);

} // namespace almanac
