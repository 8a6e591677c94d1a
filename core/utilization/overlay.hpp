// What would be booked if somebody had more, or less: for questions and trials, which leave the
// books as they are.
//
// It copies the diagrams that differ, and no other. It ends before the books change.
#pragma once

#include "core/utilization/books.hpp"

#include <map>

namespace almanac {

class Overlay {
public:
  explicit Overlay(const Books& books) : books_(books) {}

  /// Amounts may be below 0: then there is less.
  void add(const BookEntry& entry) { change(entry, &Diagram::add); }
  /// Of what is booked, or was added.
  void take_out(const BookEntry& entry) { change(entry, &Diagram::remove); }
  /// Of a diagram beside the books; an amount below 0 is taken out.
  void change(const Diagram& diagram, Window window, std::int64_t amount);
  /// What is to be looked at instead of a diagram of the books.
  const Diagram* at(const Diagram* of_the_books) const {
    const auto it = changed_.find(of_the_books);
    return it == changed_.end() ? of_the_books : &it->second;
  }

private:
  using Change = void (Diagram::*)(Window, std::int64_t);
  void change(const BookEntry& entry, Change change);
  void change(const Ledger& ledger, const BookEntry& entry, Window window, Change change);
  void change(const Diagram& diagram, Window window, std::int64_t amount, Change change);

  const Books& books_;
  std::map<const Diagram*, Diagram> changed_;
};

} // namespace almanac
