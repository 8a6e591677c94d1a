#include "tools/coallocate/tls_site.hpp"

#include "actors/process/descriptor.hpp"
#include "actors/process/tls_channel.hpp"
#include "actors/trust/line_seal.hpp"
#include "tools/coallocate/name_lookup.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sys/socket.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t read_at_once = 16 << 10;

//   looking up --address--> connecting --connected--> shaking hands --certificate is right--> open
class TlsSite final : public SiteWay {
public:
  TlsSite(TlsContext context, std::string host, std::optional<LineSecret> secret)
      : context_(std::move(context)), host_(std::move(host)), secret_(std::move(secret)) {}

  /// An address needs no lookup.
  Outcome begin(std::uint16_t port_number, NameLookup::Resolve resolve) {
    const auto port = std::to_string(port_number);
    if (auto digits = look_up(host_, port, AI_NUMERICHOST)) return connect_to(*std::move(digits));
    if (!resolve) resolve = [host = host_, port] { return look_up(host, port); };
    auto begun = NameLookup::begin(host_ + " " + port, std::move(resolve));
    if (!begun) return begun.error();
    lookup_ = *std::move(begun);
    return Done{};
  }

  void send(const std::string& line) override { waiting_line_ = line; }

  std::vector<pollfd> waits_for() const override {
    if (lookup_) return {{lookup_->descriptor(), POLLIN, 0}};
    const bool says = is_proved_ && !waiting_line_.empty(); // on a way that is open already
    const bool writes = !channel_ || says || trouble_ || !unsent_.empty();
    return {{*socket_, static_cast<short>(writes ? POLLIN | POLLOUT : POLLIN), 0}};
  }

  Result<std::vector<std::string>> work() override {
    if (trouble_) return *trouble_;
    if (lookup_) {
      if (auto looked = finish_lookup(); !looked) return looked.error();
      if (lookup_) return std::vector<std::string>{};
    }
    if (!channel_) {
      auto connected = finish_connecting();
      if (!connected) return connected.error();
      if (!*connected) return std::vector<std::string>{};
    }
    auto text = hear();
    if (!text) return text.error();
    auto lines = cutter_.take(*text);
    if (!lines) return lines;
    // What was heard counts first, whatever becomes of what is said: it may be an answer.
    if (auto said = say(); !said) trouble_ = said.error();
    if (trouble_ && lines->empty()) return *trouble_;
    return lines;
  }

private:
  Outcome finish_lookup() {
    const auto found = lookup_->outcome();
    if (!found) return Done{};
    lookup_.reset();
    if (!*found) return Error{host_ + ": " + found->what()};
    return connect_to(**found);
  }

  Outcome connect_to(SharedAddresses addresses) {
    addresses_ = std::move(addresses), next_ = addresses_.get();
    return connect();
  }

  // Tries the next address.
  Outcome connect() {
    for (; next_; next_ = next_->ai_next) {
      const auto& address = *next_;
      socket_ =
          Descriptor(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      if (*socket_ >= 0 &&
          (::connect(*socket_, address.ai_addr, address.ai_addrlen) == 0 || errno == EINPROGRESS)) {
        next_ = address.ai_next;
        return Done{};
      }
      why_ = std::strerror(errno);
    }
    return Error{host_ + ": " + why_};
  }

  // False as long as it is under way.
  Result<bool> finish_connecting() {
    pollfd state{*socket_, POLLOUT, 0};
    if (::poll(&state, 1, 0) == 0) return false;
    int code = 0;
    socklen_t size = sizeof code;
    ::getsockopt(*socket_, SOL_SOCKET, SO_ERROR, &code, &size);
    if (code != 0) {
      why_ = std::strerror(code);
      if (auto again = connect(); !again) return again.error();
      return false;
    }
    channel_.emplace(context_, TlsChannel::End::client);
    unsent_ = channel_->output();
    return true;
  }

  Result<std::string> hear() {
    std::array<char, read_at_once> bytes{};
    const auto count = ::recv(*socket_, bytes.data(), bytes.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::string();
    if (count < 0) return Error{std::strerror(errno)};
    if (count == 0) return Error{"the site has closed the connection"};
    auto text = channel_->hear({bytes.data(), static_cast<std::size_t>(count)});
    unsent_ += channel_->output();
    if (text && channel_->is_open() && !std::exchange(is_proved_, true))
      if (auto fits = channel_->check_site(host_); !fits) return fits.error();
    return text;
  }

  // Nothing is said before the site has proved who it is.
  Outcome say() {
    if (is_proved_ && !waiting_line_.empty()) {
      const auto line = std::exchange(waiting_line_, {});
      const auto sealed =
          secret_ ? sealed_line(line, *secret_, channel_->binding(), ++lines_) : line;
      if (auto said = channel_->say(sealed + "\n"); !said) return said;
      unsent_ += channel_->output();
    }
    while (!unsent_.empty()) {
      const auto count = ::send(*socket_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
      if (count > 0) unsent_.erase(0, static_cast<std::size_t>(count));
      else if (errno == EAGAIN) break;
      else if (errno != EINTR) return Error{std::strerror(errno)};
    }
    return Done{};
  }

  TlsContext context_;
  std::optional<NameLookup> lookup_; ///< as long as it is under way
  SharedAddresses addresses_;
  const addrinfo* next_ = nullptr; ///< of them, to be tried
  std::string host_, why_ = "it has no address";
  std::optional<LineSecret> secret_;
  std::int64_t lines_ = 0; ///< that were sealed
  Descriptor socket_;
  std::optional<TlsChannel> channel_;
  bool is_proved_ = false;
  std::optional<Error> trouble_; ///< nothing more can be sent; told by the next work()
  std::string waiting_line_, unsent_;
  LineCutter cutter_;
};

} // namespace

Result<std::unique_ptr<SiteWay>> open_tls_site(const SitePlace& place,
                                               NameLookup::Resolve resolve) {
  auto context = TlsContext::call_site({place.certificate, place.key, place.authority});
  if (!context) return context.error();
  std::optional<LineSecret> secret;
  if (!place.key_id.empty()) {
    auto bytes = read_line_secret(place.secret_file);
    if (!bytes) return bytes.error();
    secret.emplace(LineSecret{place.key_id, *std::move(bytes)});
  }
  auto way = std::make_unique<TlsSite>(*std::move(context), place.host, std::move(secret));
  if (auto begun = way->begin(place.port, std::move(resolve)); !begun) return begun.error();
  return std::unique_ptr<SiteWay>(std::move(way));
}

} // namespace almanac
