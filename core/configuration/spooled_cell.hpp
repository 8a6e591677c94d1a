// The objects of a Grid Engine cell from the files in which it keeps them (classic spooling), or from
// those that its script save_sge_config.sh makes: the same texts in folders of nearly the same names.
//
// Files are told from each other by their place: "cqueues/all.q", "pe/mpi", "configuration". What is
// here already gets their values; what is not is added. The changes come in the order in which objects
// refer to each other, so that any first part of them is sound, too.
#pragma once

#include "core/configuration/configuration.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct SpooledFile {
  std::string place; ///< below the folder of the spool, or of common files
  std::string text;
};

struct SpooledChange {
  ConfigurationChange change;
  std::size_t file = 0; ///< which of the given ones says so
};

struct SpooledCell {
  std::vector<SpooledChange> changes;
  std::vector<Error> errors;      ///< with place and line: files that do not read
  std::vector<std::string> notes; ///< what is left out, and why
};

/// Whether there is something for objects in a place; others need not be read.
bool is_spooled_place(const std::string& place);

/// What Grid Engine keeps in the file of an object beside its attributes: of what was used so far, and
/// for itself.
bool is_spooled_only(ObjectKind kind, std::string_view attribute);

SpooledCell read_spooled_cell(const Configuration& here, const std::vector<SpooledFile>& files);

/// What is wrong with changes, of each with the place of its file and the line.
struct SpooledError {
  std::size_t change = 0; ///< its place among the changes
  Error error;
};
struct TriedCell {
  std::vector<std::size_t> accepted; ///< places of the changes that can be made one after the other
  std::vector<SpooledError> refused; ///< those that cannot, and why
};
/// Tries them: all at once, and what is refused in smaller and smaller parts.
TriedCell try_spooled_cell(const Configuration& here, const std::vector<SpooledChange>& changes);

} // namespace almanac
