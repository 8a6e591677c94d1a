#include "tools/commands/sched_conf_file.hpp"

#include "core/configuration/objects/site_file.hpp"
#include "core/text/words.hpp"
#include "tools/client/client.hpp"
#include "tools/commands/small_file.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace almanac {

namespace {

constexpr const char* file_name = "sched_conf";

// A folder of an agent has a copy of the cell's files: what is written there changes nothing.
bool is_of_an_agent(const std::string& directory) {
  return ::access((directory + "/ticket").c_str(), F_OK) == 0;
}

Error wrong(const std::string& path, int problem) {
  return Error{"-c: can't write " + path + ": " + std::strerror(problem) +
               ". Use -c on the master's host, as a user who may write there"};
}

// 0, or as errno.
int write_whole(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const auto size = ::write(file, text.data() + written, text.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno;
    written += static_cast<std::size_t>(size);
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

// The actor of the master that reads such files; 0: it is not shown.
std::int64_t reader_of(Context& context) {
  std::int64_t reader = 0;
  const auto found = context.door.call(door::ListActors{}, [&](door::ReplyBody& frame) {
    if (const auto* list = std::get_if<door::Actors>(&frame))
      for (const auto& actor : list->actors)
        if (actor.kind == "site-files") reader = actor.id;
  });
  return found ? reader : 0;
}

// What it says of the files that it has read; "": nothing.
std::string shown_files(Context& context, std::int64_t reader) {
  std::string shown;
  const auto asked =
      context.door.call(door::InspectActor{reader, false}, [&](door::ReplyBody& frame) {
        if (const auto* output = std::get_if<door::Output>(&frame))
          shown += output->content.content;
      });
  return asked ? shown : std::string();
}

std::string fault_in(const std::string& shown) {
  for (const auto& row : split(shown, '\n'))
    if (row.starts_with(std::string(file_name) + " is not in force")) return ": " + row;
  return {};
}

} // namespace

// The master looks at its files every five seconds.
void await_sched_conf(Context& context, const std::string& text) {
  constexpr int most_looks = 50;
  const auto wanted = line_of_site_file(file_name, text) + "\n";
  const auto reader = reader_of(context);
  if (reader == 0) return;
  std::string shown;
  for (int look = 0; look < most_looks; ++look) {
    shown = shown_files(context, reader);
    if (shown.empty() || shown.find(wanted) != std::string::npos) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  complain(context, "the master has not read the file of -c yet" + fault_in(shown));
}

Result<std::string> read_sched_conf(const std::string& path) {
  auto text = SmallFile(path, largest_site_file).read();
  if (!text) return Error{"-c " + path + ": " + text.what()};
  if (const auto fault = fault_of(file_name, *text)) return Error{"-c " + path + ": " + *fault};
  // Nothing in it means the usual keys, as no file does.
  return text->empty() ? std::string("\n") : *text;
}

Outcome write_sched_conf(const Context& context, const std::string& text) {
  const auto cell = find_cell(context.environment);
  if (is_of_an_agent(cell.directory))
    return Error{"-c: " + cell.directory +
                 " is the folder of an agent: use -c on the master's "
                 "host"};
  const auto path = cell.common + "/" + file_name;
  const auto beside = cell.common + "/." + file_name + "." + std::to_string(::getpid());
  const int file =
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0) return wrong(path, errno);
  // The master reads it, whatever the umask of the caller says.
  auto problem = ::fchmod(file, 0644) == 0 ? write_whole(file, text) : errno;
  if (::close(file) != 0 && problem == 0) problem = errno;
  if (problem == 0 && std::rename(beside.c_str(), path.c_str()) != 0) problem = errno;
  if (problem == 0) return Done{};
  ::unlink(beside.c_str());
  return wrong(path, problem);
}

} // namespace almanac
