// almanac-admin: making a cell, adding hosts, their keys, replaying a journal.
//
// The one tool that knows the master's files; every change to a living cell goes through its door.
#include "actors/process/certificate.hpp"
#include "core/answer/gridengine.hpp"
#include "actors/process/daemon.hpp"
#include "actors/process/rights.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "core/records/counters.hpp"
#include "master/backup.hpp"
#include "master/cell.hpp"
#include "master/cell_export.hpp"
#include "master/record_removal.hpp"
#include "master/replay.hpp"
#include "master/rocks_journal.hpp"
#include "master/settings.hpp"
#include "tools/commands/context.hpp"
#include "tools/cell_import.hpp"
#include "tools/host_admin.hpp"
#include "tools/store_admin.hpp"
#include "core/text/table.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <pwd.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

int fail(const std::string& why) {
  std::cerr << "almanac-admin: " << why << "\n";
  return 1;
}

int init(const std::string& directory, const std::string& cell, const std::string& user) {
  if (auto prepared = prepare_cell_for(user, directory); !prepared) return fail(prepared.what());
  const auto* entry = ::getpwuid(::geteuid());
  if (auto created = create_cell(directory, cell, entry ? entry->pw_name : "root"); !created)
    return fail(created.what());
  std::cout << "cell \"" << cell << "\" is ready in " << directory
            << "; start it with: almanac-master --dir " << directory
            << "\nits master sets 64 MB of the disk aside there, for when it is nearly full\n";
  return 0;
}

int print_end(const std::string& what, const std::string& file) {
  const auto content = read_file(file);
  if (!content) return fail(content.what());
  const auto certificate = read_certificate(*content);
  if (!certificate) return fail(file + ": " + certificate.what());
  std::cout << left(what, 20) << " until " << print_day(certificate->ends) << "  " << file << "\n";
  return 0;
}

int certificates(const std::string& directory) {
  int code = print_end("authority", directory + "/ca/ca.pem") +
             print_end("master", directory + "/ca/master.pem");
  std::set<std::string> hosts;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/agents", error))
    if (valid_host_name(entry.path().filename().string()))
      hosts.insert(entry.path().filename().string());
  for (const auto& host : hosts)
    code += print_end("agent " + host, directory + "/agents/" + host + "/tls.pem");
  return code == 0 ? 0 : 1;
}

int renew(const std::string& directory, const std::string& host) {
  if (host.empty()) {
    if (auto became = become_owner_of(directory, LowPorts::refused); !became)
      return fail(became.what());
    if (auto renewed = renew_master_certificates(directory); !renewed) return fail(renewed.what());
    std::cout
        << "the authority and the master have new certificates: restart the master, then copy "
        << directory << "/doors.pem to hosts without an agent, if there are any\n";
    return 0;
  }
  if (!valid_host_name(host)) return fail("\"" + host + "\" is not a host name");
  if (auto renewed = renew_agent_certificate(directory, host); !renewed)
    return fail(renewed.what());
  std::cout << "new: " << directory << "/agents/" << host
            << "/tls.pem and ca.pem; copy both to the host, then restart its agent\n";
  return 0;
}

std::string date(Instant at) { return print_local(at, "%Y-%m-%d %H:%M:%S"); }

// [[CC]YY]MMDDhhmm[.SS] in local time, or seconds since the epoch after an @.
Result<Instant> point_in_time(const std::string& text) {
  if (text.starts_with('@')) {
    auto seconds = parse_number(text.substr(1));
    if (!seconds) return seconds.error();
    return Instant{*seconds};
  }
  auto parsed = parse_date_time(text);
  if (!parsed) return Error{"\"" + text + "\" is not a time: " + parsed.what()};
  return to_instant(*parsed, {std::time(nullptr)});
}

int replay_journal(const std::string& directory, Instant from, Instant to) {
  auto journal = RocksJournal::open_to_read(directory + "/store");
  if (!journal) return fail(journal.what());
  auto done = replay(**journal, from, to);
  if (!done) return fail(done.what());
  std::cout << "replayed " << done->inputs << " inputs";
  if (done->inputs > 0)
    std::cout << ", " << date(done->first) << " to " << date(done->last) << ", "
              << done->bytes / static_cast<std::size_t>(done->inputs) << " bytes each; "
              << done->compared << " decisions are those that were recorded";
  std::cout << "\nthe digest " << std::hex << done->planner.digest()
            << (to.is_never() ? " is that of the stored records\n" : "\n");
  return 0;
}

// Nothing is made in a folder that is none of a cell.
Outcome lock_cell(const std::string& directory) {
  if (auto settings = read_master_settings(directory + "/settings.toml"); !settings)
    return settings.error();
  return lock_directory(directory);
}

int recover(const std::string& directory) {
  if (auto locked = lock_cell(directory); !locked) return fail(locked.what());
  const auto store = directory + "/store";
  if (RocksJournal::open_to_read(store)) {
    std::cout << "nothing is damaged in " << store << ": nothing is changed\n";
    return 0;
  }
  if (auto recovered = RocksJournal::recover(store); !recovered) return fail(recovered.what());
  auto journal = RocksJournal::open_to_read(store);
  if (!journal) return fail(journal.what());
  const auto last = last_input(**journal);
  std::cout << "the store is as it was at " << date(last.now) << ", after input "
            << to_string(last.sequence)
            << "; what was acknowledged later is not in it\nthe logs as they were are in " << store
            << ".damaged\n";
  return 0;
}

int take_out(const std::string& directory, const std::string& kind, RecordName name,
             std::int64_t value) {
  if (auto locked = lock_cell(directory); !locked) return fail(locked.what());
  auto journal = RocksJournal::open(directory + "/store");
  if (!journal) return fail(journal.what());
  const auto family = kind == "job"      ? store::Family::jobs
                      : kind == "series" ? store::Family::series
                                         : store::Family::reservations;
  auto removed = remove_record(**journal, (*journal)->term(), family, name, value);
  if (!removed) return fail(removed.what());
  std::cout << *removed << "\n";
  return 0;
}

// A new file that nobody else reads: it is to have environments of jobs.
Result<std::ofstream> new_file(const std::string& file) {
  std::error_code error;
  if (std::filesystem::exists(file, error)) return Error{file + " is there already"};
  const auto before = ::umask(077);
  std::ofstream into(file, std::ios::binary);
  ::umask(before);
  if (!into) return Error{"can't write " + file + ": " + std::strerror(errno)};
  return into;
}

int export_into(std::ofstream into, const std::string& directory, const std::string& file) {
  auto journal = RocksJournal::open_to_read(directory + "/store");
  if (!journal) return fail(journal.what());
  const auto exported = export_cell(**journal);
  if (!exported) return fail(exported.what());
  for (const auto& what : exported->left_out) std::cerr << "almanac-admin: " << what << "\n";
  into << exported->text << std::flush;
  if (!into) return fail("can't write " + file);
  std::cout << "exported " << exported->jobs << " jobs and " << exported->reservations
            << " reservations to " << file << "\n";
  return 0;
}

int import_from(const std::string& directory, const std::string& file, const std::string& text) {
  if (auto locked = lock_cell(directory); !locked) return fail(locked.what());
  auto journal = RocksJournal::open(directory + "/store");
  if (!journal) return fail(journal.what());
  const auto imported = import_cell(**journal, (*journal)->term(), text);
  if (!imported) return fail(file + ": " + imported.what());
  std::cout << "imported " << imported->jobs << " jobs and " << imported->reservations
            << " reservations from " << file << "\n";
  return 0;
}

void print_job(Planner& planner, const Job& job, Instant at) {
  const auto& state = planner.state();
  const auto held = job.is_held() || !job.waits_for.empty();
  for (const auto& task : state.tasks_of(job.key)) {
    std::cout << "job " << job.number.value
              << (task.number > 0 ? "." + std::to_string(task.number) : "") << " ("
              << job.request->name << ", " << job.owner.user << ") "
              << state_letters(task, held || job.is_held(task.number));
    for (const auto& grant : task.grants)
      std::cout << " " << grant.instance.text() << "=" << grant.slots;
    std::cout << "\n";
  }
  const auto waiting = waiting_tasks(job, state.tally(job.key));
  if (waiting == 0) return;
  std::cout << "job " << job.number.value << " (" << job.request->name << ", " << job.owner.user
            << ") " << (held ? "hqw" : "qw") << ", " << waiting << " waiting\n";
  for (const auto& line : gridengine::lines_of(planner.ask(ExplainJob{job.number}, at)))
    std::cout << "    " << line.text << "\n";
}

int show_at(const std::string& directory, Instant at) {
  auto journal = RocksJournal::open_to_read(directory + "/store");
  if (!journal) return fail(journal.what());
  auto done = replay(**journal, at, at);
  if (!done) return fail(done.what());
  if (done->inputs == 0)
    return fail("the journal begins after " + date(at) + ": what was before is in its checkpoint");
  const auto& state = done->planner.state();
  std::cout << "at " << date(at) << ": " << state.jobs().size() << " jobs, "
            << state.reservations().size() << " reservations\n";
  for (const auto& reservation : state.reservations()) {
    std::cout << "reservation " << reservation.number.value << " (" << reservation.request.name
              << ", " << reservation.owner.user << ") " << state_letter(reservation) << " "
              << date(reservation.shape.window.start) << " to "
              << date(reservation.shape.window.end);
    for (const auto& grant : reservation.shape.grants)
      std::cout << " " << grant.instance.text() << "=" << grant.slots;
    std::cout << "\n";
  }
  for (const auto& [key, job] : state.jobs()) print_job(done->planner, *job, at);
  return 0;
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  CLI::App app("Makes and keeps Almanac cells.", "almanac-admin");
  app.set_version_flag("--version", std::string("almanac-admin ") + ALMANAC_VERSION);
  app.require_subcommand(1);
  std::string directory, host, from, to, cell = "default";
  std::string kind, user, file;
  std::int64_t slots = 1, number = 0, days = 0, gap = almanac::usual_gap;
  bool by_key = false, at_once = false, waits = false, with_keys = false;
  auto* init = app.add_subcommand(
      "init", "make a cell: settings, authority and keys, an empty store with the default objects");
  init->add_option("DIR", directory, "a folder that is empty or not there")->required();
  init->add_option("--cell", cell, "the cell's name");
  init->add_option("--user", user,
                   "the user who shall own the cell and run its master: for root; else it is the "
                   "caller's");
  auto* add_host =
      app.add_subcommand("add-host", "add an exec host and make the folder of its agent");
  add_host->add_option("DIR", directory, "the cell's folder; its master runs")->required();
  add_host->add_option("HOST", host, "the host's name in the cell")->required();
  add_host->add_option("--slots", slots, "its slots in all.q")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(9'999'999)));
  auto* rekey = app.add_subcommand(
      "rekey-host", "make new keys and a new ticket for a host's agent, in DIR/agents/HOST");
  auto* revoke = app.add_subcommand(
      "revoke-host", "refuse the key of a host's agent from now on, and all tickets made so far");
  for (auto* verb : {rekey, revoke}) {
    verb->add_option("DIR", directory, "the cell's folder; its master runs")->required();
    verb->add_option("HOST", host, "the host's name in the cell")->required();
  }
  rekey->add_flag("--now", at_once,
                  "refuse the present key at once, not only when an agent comes with the new one");
  auto* remove_host = app.add_subcommand(
      "remove-host", "take an exec host out of the cell: groups, queues, lists, its agent's keys");
  remove_host->add_option("DIR", directory, "the cell's folder; its master runs")->required();
  remove_host->add_option("HOST", host, "the host's name in the cell")->required();
  remove_host->add_flag(
      "--wait", waits,
      "disable it first and wait for what runs there; without: refuse, with a list "
      "of what runs there");
  for (auto* verb : {add_host, rekey})
    verb->add_option("--days", days, "the ticket expires after so many days; without: never")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(36'500)));
  auto* hosts = app.add_subcommand(
      "hosts", "show exec hosts with the keys of their agents, and who else came with one");
  hosts->add_option("DIR", directory, "the cell's folder; its master runs")->required();
  auto* replay = app.add_subcommand(
      "replay", "decide all journaled inputs again and compare with the stored records");
  replay->add_option("DIR", directory, "the cell's folder; its master may run")->required();
  replay->add_option("--from", from, "compare decisions from then on: [[CC]YY]MMDDhhmm[.SS] or @s");
  replay->add_option("--to", to, "stop there");
  auto* at =
      app.add_subcommand("at", "show queue, reservations and reasons as they were at a time");
  at->add_option("DIR", directory, "the cell's folder; its master may run")->required();
  at->add_option("TIME", from, "[[CC]YY]MMDDhhmm[.SS], or @ and seconds since the epoch")
      ->required();
  auto* recover = app.add_subcommand(
      "recover", "bring a store with a damaged log back to the last decision before the damage");
  recover->add_option("DIR", directory, "the cell's folder; its master does not run")->required();
  auto* certificates =
      app.add_subcommand("certificates", "show until when the cell's certificates last");
  certificates->add_option("DIR", directory, "the cell's folder")->required();
  auto* renew = app.add_subcommand(
      "renew", "make new certificates for the same keys: of authority and master, or of an agent");
  renew->add_option("DIR", directory, "the cell's folder; its master may run")->required();
  renew->add_option("HOST", host, "the agent's host");
  auto* remove = app.add_subcommand(
      "remove-record",
      "take one job, reservation or series out of the store, when nothing else helps");
  remove->add_option("DIR", directory, "the cell's folder; its master does not run")->required();
  remove->add_option("KIND", kind, "job, reservation or series")
      ->required()
      ->check(CLI::IsMember({"job", "reservation", "series"}));
  remove->add_option("NUMBER", number, "the number that users see")->required();
  remove->add_flag("--key", by_key,
                   "NUMBER is that of the record, as the log tells it of what was set aside");
  auto* exports = app.add_subcommand(
      "export", "write configuration, reservations and jobs into a file, as JSON");
  exports->add_option("DIR", directory, "the cell's folder; its master may run")->required();
  exports->add_option("FILE", file, "a file that is not there")->required();
  auto* imports =
      app.add_subcommand("import", "take what export has written into a cell that init has made");
  imports->add_option("DIR", directory, "the cell's folder; its master was never started")
      ->required();
  imports->add_option("FILE", file, "what export has written")->required();
  auto* check = app.add_subcommand(
      "check",
      "read all of the store and say what is wrong in it: exit status 1; nothing is written");
  check->add_option("DIR", directory, "the cell's folder; its master may run")->required();
  auto* backup = app.add_subcommand(
      "backup",
      "write the store and the configuration files into a file that only its owner reads");
  backup->add_option("DIR", directory, "the cell's folder; its master may run")->required();
  backup->add_option("FILE", file, "a file that is not there")->required();
  backup->add_flag("--with-keys", with_keys,
                   "with the private keys of authority and master; without: a restored cell makes "
                   "new ones, and its agents need new tickets");
  auto* restore = app.add_subcommand("restore", "make a cell of what backup has written");
  restore->add_option("DIR", directory, "a folder that is empty or not there")->required();
  restore->add_option("FILE", file, "what backup has written")->required();
  restore->add_option("--user", user, "as for init");
  restore
      ->add_option("--gap", gap,
                   "so many numbers of jobs and reservations are left out: those that were given "
                   "after the backup (10000)")
      ->check(CLI::Range(std::int64_t(0), almanac::believable_loss));
  almanac::GridEngineImport moved;
  auto* moves = app.add_subcommand(
      "import-gridengine",
      "take the configuration of a Grid Engine cell: all of it, or nothing if anything is refused");
  moves->add_option("DIR", directory, "the cell's folder; its master runs")->required();
  moves
      ->add_option("FROM", moved.from,
                   "$SGE_ROOT/$SGE_CELL with classic spooling, its qmaster folder, or what "
                   "save_sge_config.sh has written")
      ->required();
  moves->add_flag("--dry-run", moved.only_tries, "say what would come of it, and change nothing");
  moves->add_flag("--partial", moved.takes_part,
                  "leave out what is refused, and what refers to it; take the rest");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 1;
  }
  ::umask(022);
  std::error_code error;
  directory = std::filesystem::absolute(directory, error).lexically_normal().string();
  if (*init) return almanac::init(directory, cell, user);
  const almanac::Instant expires{days == 0 ? 0 : std::time(nullptr) + days * 86'400};
  if (*add_host) return almanac::add_host(directory, host, slots, expires);
  if (*rekey)
    return almanac::rekey_host(directory, host,
                               at_once ? almanac::KeyAction::replace : almanac::KeyAction::issue,
                               expires);
  if (*revoke) return almanac::revoke_host(directory, host);
  if (*remove_host) return almanac::remove_host(directory, host, waits);
  if (*hosts) return almanac::list_hosts(directory);
  if (*moves) {
    moved.directory = directory;
    return almanac::import_gridengine(moved);
  }
  if (*check) return almanac::check_cell(directory);
  if (*backup) return almanac::back_up_cell(directory, file, with_keys);
  if (*restore) return almanac::restore_cell(directory, file, user, gap);
  if (*certificates) return almanac::certificates(directory);
  if (*renew) return almanac::renew(directory, host);
  // With the caller's rights.
  almanac::Result<std::ofstream> into = std::ofstream();
  if (*exports) into = almanac::new_file(file);
  if (!into) return almanac::fail(into.what());
  almanac::Result<std::string> text = std::string();
  if (*imports) text = almanac::read_file(file);
  if (!text) return almanac::fail(text.what());
  // What the others write into a cell belongs to the owner of the cell.
  if (auto became = almanac::become_owner_of(directory, almanac::LowPorts::refused); !became)
    return almanac::fail(became.what());
  if (*exports) return almanac::export_into(std::move(*into), directory, file);
  if (*imports) return almanac::import_from(directory, file, *text);
  if (*recover) return almanac::recover(directory);
  if (*remove)
    return almanac::take_out(
        directory, kind, by_key ? almanac::RecordName::key : almanac::RecordName::number, number);
  auto first = almanac::point_in_time(from.empty() ? "@0" : from);
  if (!first) return almanac::fail(first.what());
  if (*at) return almanac::show_at(directory, *first);
  almanac::Result<almanac::Instant> last = almanac::Instant::never();
  if (!to.empty()) last = almanac::point_in_time(to);
  if (!last) return almanac::fail(last.what());
  return almanac::replay_journal(directory, *first, *last);
}
