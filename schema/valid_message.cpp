#include "schema/valid_message.hpp"

#include "core/request/findings.hpp"
#include "core/request/valid.hpp"
#include "core/request/valid_report.hpp"

namespace almanac {

namespace {

constexpr std::size_t longest_proof = 4096; // a ticket, a signature, a nonce
constexpr std::size_t longest_frame = 1 << 20;
constexpr std::int64_t highest_term = 1LL << 62;
constexpr std::int64_t most_bytes_taken = 1LL << 40;

class MessageCheck {
public:
  Outcome outcome() const { return findings_.outcome(); }

  // ---- the handshake --------------------------------------------------------------------------

  void operator()(const session::Hello& m) {
    text(m.cell, "characters of a cell's name"), text(m.name, "characters of a name");
    for (const auto* bytes : {&m.nonce, &m.ticket, &m.ticket_signature}) proof(*bytes);
  }
  void operator()(const session::Challenge& m) {
    text(m.name, "characters of a name");
    for (const auto* bytes : {&m.nonce, &m.ticket, &m.ticket_signature, &m.signature})
      proof(*bytes);
  }
  void operator()(const session::Proof& m) { proof(m.signature); }
  void operator()(const session::Welcome& m) {
    text(m.store_id, "characters of a store's name");
    findings_.range("term", m.term.value, 0, highest_term);
    proof(m.signature);
  }
  void operator()(const session::Refused& m) {
    findings_.size("characters of a reason", m.reason.size(), 4 * longest_host_text);
    if (!findings_.any()) check_texts(findings_, m);
  }

  // ---- what an agent says to the master -------------------------------------------------------

  void operator()(const session::Register& m) {
    findings_.note(valid(m.facts));
    findings_.size("tasks", m.tasks.size(), longest_list);
    proof(m.nonce);
    findings_.range("version of warrants", m.warrant_version, 0, 1'000'000);
    if (findings_.any()) return;
    for (const auto& task : m.tasks) (*this)(task);
  }
  void operator()(const session::TaskReport& m) {
    findings_.note(valid(m.attempt));
    text(m.store_id, "characters of a store's name");
    findings_.range("term", m.term.value, 0, highest_term);
    findings_.note(valid(m.record));
    findings_.note(valid(m.processes));
  }
  void operator()(const session::Renew& m) { proof(m.nonce); }
  void operator()(const session::GetCommonFile& m) {
    findings_.require(is_common_file(m.name), "its name is none of the cell's common files");
  }
  void operator()(const HostLoad& m) { findings_.note(valid(m)); }
  void operator()(const session::TaskUses& m) {
    findings_.size("tasks", m.tasks.size(), longest_list);
    if (findings_.any()) return;
    for (const auto& task : m.tasks)
      findings_.note(valid(task.attempt)), findings_.note(valid(task.usage)),
          findings_.note(valid_topology(task.binding));
  }
  void operator()(const PartSilent& m) {
    findings_.note(valid(m.attempt));
    text(m.host, "characters of a host's name");
  }
  // Who a user is says the agent's kernel; what their system calls them is asked with their
  // request.
  void operator()(const session::Relay& m) {
    for (const auto* name : {&m.caller.user, &m.caller.group, &m.caller.host, &m.caller.through})
      findings_.size("characters of a name", name->size(), longest_host_text);
    findings_.size("bytes of a frame", m.frame.content.size(), longest_frame);
  }

  // ---- what agents say to each other ----------------------------------------------------------

  void operator()(const session::SignedOrder& m) { proof(m.signature); }
  void operator()(const session::PeerStart& m) {
    findings_.note(valid(m.attempt));
    findings_.note(valid_process(m.command, m.environment, m.directory));
    credential(m.credential), proof(m.signature), proof(m.proof);
  }
  void operator()(const session::PeerClear& m) {
    findings_.note(valid(m.attempt));
    credential(m.credential), proof(m.signature);
  }
  void operator()(const session::PeerAttach& m) {
    findings_.note(valid(m.attempt));
    credential(m.credential), proof(m.signature);
    size(m.rows, m.columns);
  }
  void operator()(const session::PeerInput& m) {
    findings_.range("bytes that were taken", m.taken, 0, most_bytes_taken);
    size(m.rows, m.columns);
  }
  void operator()(const session::PeerEnded& m) { findings_.note(valid(m.record)); }

  // Output has no bounds of its own, and the master's word has none here.
  void operator()(const session::PeerOutput&) {}
  void operator()(const session::Registered&) {}
  void operator()(const session::RelayAnswer&) {}
  void operator()(const session::Renewed&) {}
  void operator()(const session::Launch&) {}
  void operator()(const session::Control&) {}
  void operator()(const session::Forget&) {}
  void operator()(const session::CommonFiles&) {}
  void operator()(const session::CommonFile&) {}

private:
  void size(std::int64_t rows, std::int64_t columns) {
    findings_.range("rows of a terminal", rows, 0, largest_terminal);
    findings_.range("columns of a terminal", columns, 0, largest_terminal);
  }
  void text(const std::string& text, const char* what) {
    if (!findings_.any()) findings_.note(valid_host_text(text, what));
  }
  void proof(const Bytes& bytes) {
    findings_.size("bytes of a proof", bytes.content.size(), longest_proof);
  }
  // It names all hosts of a job.
  void credential(const Bytes& bytes) {
    findings_.size("bytes of a credential", bytes.content.size(), longest_frame);
  }
  Findings findings_;
};

} // namespace

Outcome valid_message(const session::Message& message) {
  MessageCheck check;
  std::visit(check, message);
  return check.outcome();
}

} // namespace almanac
