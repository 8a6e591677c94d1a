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

  void add(const BookEntry& entry) { change(entry, 1); }
  void take_out(const BookEntry& entry) { change(entry, -1); }
  /// Of a diagram beside the books; an amount below 0 is taken out.
  void change(const Diagram& diagram, Window window, std::int64_t amount);
  /// What is to be looked at instead of a diagram of the books.
  const Diagram* at(const Diagram* of_the_books) const {
    const auto it = changed_.find(of_the_books);
    return it == changed_.end() ? of_the_books : &it->second;
  }

private:
  void change(const BookEntry& entry, std::int64_t sign);
  void change(const Ledger& ledger, const BookEntry& entry, Window window, std::int64_t sign);

  const Books& books_;
  std::map<const Diagram*, Diagram> changed_;
};

} // namespace almanac
