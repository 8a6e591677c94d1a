#include "master/assembly.hpp"

#include "actors/master/archive.hpp"
#include "actors/master/calendar.hpp"
#include "actors/master/common_files.hpp"
#include "actors/master/site_files.hpp"
#include "actors/directory.hpp"
#include "actors/master/feed.hpp"
#include "actors/master/gate.hpp"
#include "actors/master/hooks.hpp"
#include "actors/master/postman.hpp"
#include "actors/master/pricer.hpp"
#include "actors/session/session.hpp"
#include "actors/master/verifiers.hpp"
#include "actors/master/views.hpp"
#include "master/replay.hpp"
#include "schema/store/records.hpp"

#include <spdlog/spdlog.h>

namespace almanac {

namespace {

KeptAnswers kept_answers(const Journal& journal) {
  std::map<std::string, KeptAnswer> answers;
  journal.scan(store::Family::answers, [&](std::string_view key, std::string_view value) {
    if (auto kept = decode_answer(value)) answers.emplace(key, std::move(*kept));
  });
  return KeptAnswers(std::move(answers));
}

// On other hosts, its agent looks at the program.
HookTrust trust_of(const MasterPorts& ports) {
  if (!ports.hooks) return {};
  return [hooks = ports.hooks, uid_of = ports.uid_of](const HookCommand& hook) {
    if (hook.host.empty()) return hooks->distrust(hook.words);
    const bool is_known = !uid_of || uid_of(hook.user);
    return is_known ? "" : "user \"" + hook.user + "\" is not known on the master's host";
  };
}

// What was read last. Of a file that could not be read then nothing is known: it is told of again.
SiteFilesSetup files_of_site(const State& state) {
  SiteFilesSetup setup;
  for (const std::string name : site_file_names) {
    const auto* file = state.records().find<SiteFile>(name);
    if (file && !file->text.empty()) setup.in_force.insert(name);
    if (!file) setup.known[name] = "";
    else if (file->error.empty()) setup.known[name] = file->text;
  }
  return setup;
}

SharedKeys reservation_keys(const MasterPorts& ports) {
  if (!ports.site_keys) return nullptr;
  return std::make_shared<const ReservationKeys>(ports.identity->cell + "/" + ports.store_id,
                                                 *ports.site_keys, ports.random);
}

} // namespace

Result<Master> assemble_master(caf::actor_system& system, const MasterPorts& ports) {
  auto stored = store::read_stored(scan_of(*ports.journal));
  if (!stored) return stored.error();
  for (const auto& one : stored->set_aside)
    spdlog::error("{} {} (record {}) is set aside: {}. It stays in the store until almanac-admin "
                  "remove-record takes it out",
                  one.family == store::Family::jobs     ? "job"
                  : one.family == store::Family::series ? "series"
                                                        : "reservation",
                  one.number > 0 ? std::to_string(one.number) : "of an unknown number", one.key,
                  one.why);
  auto planner = Planner::restore(std::move(stored->records));
  if (!planner) return planner.error();
  if (ports.checks) planner->set_checking(true);
  const auto last = last_input(*ports.journal);

  auto directory = spawn_directory(system, *ports.clock);
  auto journal = spawn_journal(system, directory, *ports.journal, ports.term, ports.journal_thread);
  auto archive =
      spawn_archive(system, {ports.journal, ports.clock, journal, directory}, ports.journal_thread);
  auto views = spawn_views(system, directory, ports.notebook, ports.journal);
  auto exporter = spawn_exporter(system, directory, *ports.journal, ports.exports,
                                 planner->state().configuration().global());
  PostmanActor postman;
  if (ports.mailer)
    postman =
        spawn_postman(system, {ports.mailer, ports.clock, ports.journal, journal, directory,
                               ports.store_id, planner->state().configuration().global().mailer});
  HooksActor hooks;
  if (ports.hooks)
    hooks = spawn_hooks(system, {ports.hooks, ports.journal, journal, directory,
                                 ports.journal_thread, ports.uid_of});
  auto feed = spawn_feed(system, {ports.journal, ports.term, last.sequence, views, directory},
                         ports.journal_thread);
  CommonFilesActor common_files;
  if (ports.common_files)
    common_files = spawn_common_files(system, directory, *ports.common_files, ports.journal_thread);
  auto site_files = files_of_site(planner->state());
  auto pricer = spawn_pricer(system, directory, ports.journal_thread);
  GateVerifiers verifiers;
  if (auto* verifier = ports.verifier) {
    verifiers.actor =
        spawn_verifiers(system, {verifier, ports.zone, directory, ports.journal_thread});
    verifiers.distrust = [verifier](const std::string& url) { return verifier->distrust(url); };
  }
  auto gate = spawn_gate(system, directory, views, archive, feed, pricer, trust_of(ports),
                         std::move(verifiers), reservation_keys(ports), ports.uid_of);
  auto calendar = spawn_calendar(system, {std::move(*planner),
                                          last.sequence,
                                          last.now,
                                          kept_answers(*ports.journal),
                                          ports.store_id,
                                          ports.term,
                                          ports.identity,
                                          ports.clock,
                                          ports.journal,
                                          ports.notebook,
                                          ports.passes_off,
                                          ports.zone,
                                          ports.host,
                                          directory,
                                          journal,
                                          archive,
                                          views,
                                          exporter,
                                          postman,
                                          hooks,
                                          gate,
                                          feed,
                                          ports.set_log_level,
                                          ports.vouched,
                                          common_files});
  site_files.sources = ports.site_files, site_files.directory = directory;
  site_files.calendar = calendar;
  if (!ports.site_files.empty())
    spawn_site_files(system, std::move(site_files), ports.journal_thread);
  SessionSetup session;
  session.identity = ports.identity, session.random = ports.random, session.directory = directory;
  session.calendar = calendar;
  session.welcome = {ports.term, ports.store_id};
  return Master{directory, journal, views, gate, calendar, std::move(session)};
}

} // namespace almanac
