// A library as somebody else's program loads it, with the client in it: what it gives is one
// function of C, and nothing else of it can be seen.
//
// The program is Python (cluster/client_test.py): there is no C++ in it, and nothing of ours.
#include "tools/client/client.hpp"

#include <cstring>

namespace {

using namespace almanac;

Client open_client(const char* directory, int patience_ms) {
  ClientOptions options;
  options.directory = directory;
  options.patience = std::chrono::milliseconds(patience_ms);
  return Client(std::move(options));
}

} // namespace

/// Submits a job that is held, finds it again and deletes it. 0, or 1 + the CallFailure; `said`
/// gets what there is to say, cut to `size`.
extern "C" __attribute__((visibility("default"))) int
almanac_client_try(const char* directory, int patience_ms, char* said, int size) {
  const auto tell = [&](const std::string& text, int code) {
    std::strncpy(said, text.c_str(), static_cast<std::size_t>(size) - 1);
    said[size - 1] = '\0';
    return code;
  };
  const auto failed = [&](const CallError& error) {
    return tell(error.why, 1 + static_cast<int>(error.failure));
  };
  auto client = open_client(directory, patience_ms);
  JobRequest job;
  job.name = "from-a-library", job.command = "/bin/true";
  job.binary = true, job.held_by_user = true;
  const auto submitted = client.run(Submit{job, "", 0});
  if (!submitted) return failed(submitted.error());
  const auto number = std::to_string((*submitted).number);
  const auto found = client.ask(door::GetJobs{{number}, {}, false});
  if (!found) return failed(found.error());
  std::string text;
  for (const auto& frame : *found)
    for (const auto& view : frame.jobs) text += view.job.request->name + " is job " + number;
  const auto deleted = client.run(DeleteJobs{{number}, {}, {}, false});
  if (!deleted) return failed(deleted.error());
  return tell(text, 0);
}
