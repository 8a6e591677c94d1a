#include "actors/master/common_file_offer.hpp"

#include <caf/send.hpp>

#include <utility>

namespace almanac {

void CommonFileOffer::change(const CommonFilesChanged& news) {
  files_ = news.files;
  tell();
}

void CommonFileOffer::open(SessionActor session, const session::Register& list) {
  close();
  if (!list.takes_common_files) return;
  session_ = std::move(session);
  tell();
}

void CommonFileOffer::tell() {
  if (!files_ || !session_) return;
  not_given_.clear();
  for (const auto& file : *files_) not_given_.insert(file.version.name);
  say(session::CommonFiles{versions_of(*files_)});
}

// One that is not there any more, or was given already, is not answered: the list that follows, or
// has followed, says what there is.
void CommonFileOffer::take(const session::GetCommonFile& wanted) {
  if (!files_ || !session_ || not_given_.erase(wanted.name) == 0) return;
  for (const auto& file : *files_)
    if (file.version.name == wanted.name) say(session::CommonFile{wanted.name, {file.content}});
}

void CommonFileOffer::say(session::Message message) const {
  caf::anon_send(session_, Say{std::move(message)});
}

} // namespace almanac
