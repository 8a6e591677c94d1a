// The module behind open_door_channel(): OpenSSL and MUNGE are loaded with it.
#include "actors/process/tls_channel.hpp"
#include "actors/trust/claim_proof.hpp"
#include "tools/client/door_channel.hpp"
#include "tools/client/door_credential.hpp"

namespace almanac {

namespace {

class TlsDoorChannel : public DoorChannel {
public:
  explicit TlsDoorChannel(const TlsContext& context) : tls_(context, TlsChannel::End::client) {}

  Result<std::string> hear(std::string_view bytes) override {
    auto text = tls_.hear(bytes);
    if (!text || is_proved_ || !tls_.is_open()) return text;
    if (!tls_.speaks_frames()) return Error{"it does not speak the protocol of this door"};
    if (auto fits = tls_.check_peer(CertificateRole::master); !fits) return fits.error();
    is_proved_ = true;
    return text;
  }
  Outcome say(std::string_view text) override {
    if (!is_proved_) return Error{"the master has not proved who it is"};
    return tls_.say(text);
  }
  std::string output() override { return tls_.output(); }
  bool is_open() const override { return is_proved_ && tls_.is_open(); }
  std::string binding() const override { return tls_.binding(); }
  Result<std::string> credential(std::string_view text,
                                 const std::string& munge_socket) const override {
    return munge_credential(text, munge_socket);
  }

private:
  TlsChannel tls_;
  bool is_proved_ = false;
};

} // namespace

} // namespace almanac

#ifdef __clang__
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage" // who calls it is C++, too
#endif

extern "C" almanac::Result<std::unique_ptr<almanac::DoorChannel>>
almanac_open_door_channel(const std::string& authority) {
  const auto context = almanac::TlsContext::call_door(authority);
  if (!context) return context.error();
  return std::unique_ptr<almanac::DoorChannel>(std::make_unique<almanac::TlsDoorChannel>(*context));
}

extern "C" almanac::Result<std::string> almanac_prove_claim(almanac::ClaimProver& prover) {
  return almanac::prove(std::move(prover));
}
