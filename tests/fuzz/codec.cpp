// Every record that comes from outside or out of the store: what can be read can be written, reads
// back the same, and takes memory in proportion to its bytes.
#include "core/planning/input.hpp"
#include "core/utilization/usage_span.hpp"
#include "schema/codec.hpp"
#include "schema/link_frame.hpp"
#include "schema/earlier_records.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace almanac;

namespace {

// How much memory a record takes, besides its own.
struct MemoryOf {
  std::size_t bytes = 0;

  template <class T> void operator()(const char*, T& field) { visit(field); }
  template <class T> void visit(T& field) {
    if constexpr (std::is_same_v<T, std::string>) bytes += field.capacity();
    else if constexpr (std::is_same_v<T, Bytes>) bytes += field.content.capacity();
    else if constexpr (is_variant<T>::value)
      std::visit([this](auto& one) { this->visit(one); }, field);
    else if constexpr (is_vector<T>::value) {
      bytes += field.capacity() * sizeof(typename T::value_type);
      if constexpr (!std::is_integral_v<typename T::value_type>)
        for (auto& one : field) visit(one);
    } else if constexpr (!std::is_integral_v<T> && !std::is_enum_v<T>) describe(*this, field);
  }
};

template <class T> void read_and_write(std::string_view bytes) {
  auto record = decode<T>(bytes);
  if (!record) return;
  MemoryOf memory;
  memory.visit(*record);
  check(memory.bytes <= 256 * bytes.size() + (512 << 10),
        "a record takes memory in proportion to its bytes");
  const auto written = encode(*record);
  const auto again = decode<T>(written);
  check(again.ok(), "what was written can be read");
  check(encode(*again) == written, "what was read back is the same");
}

using Read = void (*)(std::string_view);
// New ones go to the end: the corpus names them by their place.
constexpr Read readers[]{read_and_write<door::Request>,
                         read_and_write<door::SealedRequest>,
                         read_and_write<door::Reply>,
                         read_and_write<session::Envelope>,
                         read_and_write<session::Ticket>,
                         read_and_write<session::Credential>,
                         read_and_write<session::Launch>,
                         read_and_write<session::Order>,
                         read_and_write<LinkFrame>,
                         read_and_write<store::JobOfFormat1>,
                         read_and_write<Reservation>,
                         read_and_write<ConfigurationObject>,
                         read_and_write<HostState>,
                         read_and_write<InstanceState>,
                         read_and_write<Counters>,
                         read_and_write<AccountingRecord>,
                         read_and_write<Letter>,
                         read_and_write<Answer>,
                         read_and_write<JournaledInput>,
                         read_and_write<Job>,
                         read_and_write<Task>,
                         read_and_write<HostKey>,
                         read_and_write<door::ShownJob>,
                         read_and_write<door::ReservationView>,
                         read_and_write<SettledTransaction>,
                         read_and_write<ReportingRecord>,
                         read_and_write<UsageSpan>,
                         read_and_write<Series>,
                         read_and_write<SiteFile>,
                         read_and_write<ClaimChallenge>,
                         read_and_write<KeyGrant>};

} // namespace

// The first byte chooses the record; from 128 on the bytes behind it are the message as it is.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pieces pieces(as_text(data, size));
  const auto choice = pieces.byte();
  const auto read = readers[(choice & 127) % std::size(readers)];
  read(choice < 128 ? as_message(pieces.rest()) : std::string(pieces.rest()));
  return 0;
}
