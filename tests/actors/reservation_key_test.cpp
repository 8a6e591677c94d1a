// What a site grants, and which claims it takes (spec/metascheduler.md section 6).
#include "actors/master/reservation_claims.hpp"
#include "actors/trust/claim_proof.hpp"
#include "actors/trust/reservation_key.hpp"
#include "core/text/base64url.hpp"
#include "schema/codec.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr std::int64_t year = 365LL * 86'400;

class GivenASite : public ::testing::Test {
public:
  Caller ann{"ann", "users", 1001, 1001, "h1"};
  SiteKeys files{{{Instant{0}, SigningKey::generate()}}, std::string(32, 'c')};
  ReservationKeys keys{"cell/store", files, random_bytes};
  SigningKey client = SigningKey::generate();
  Instant now{1'000};

  /// Granted, with a secret, or with the client's public key.
  Reservation reservation(KeyMode mode = KeyMode::secret) const {
    Reservation made;
    made.number = {14}, made.key = {77}, made.owner = ann;
    made.phase = ReservationPhase::waiting;
    made.shape.window = {{2'000}, {3'000}};
    if (mode == KeyMode::secret) made.sealed_secret = keys.draw_secret(ann);
    else made.request.public_key = print_base64url(client.public_key());
    return made;
  }
  KeyText key_of(const Reservation& made) const {
    const auto text = keys.text(made, now);
    EXPECT_TRUE(text.ok()) << text.what();
    return *parse_key(*text);
  }
  static CommandBody job(const std::string& script) {
    Submit submit;
    submit.request.name = "j", submit.request.reservation = {14};
    submit.request.script.content = script;
    return submit;
  }
  /// As a client makes it.
  ReservationClaim claim(const KeyText& key, const CommandBody& command, std::string nonce) const {
    const auto grant = *decode_canonical<KeyGrant>(key.grant);
    ClaimProver prover{{*parse_base64url(nonce), grant.site, grant.number, grant.incarnation, ""},
                       proved_by_claim(command),
                       "",
                       ""};
    if (grant.mode == KeyMode::secret) prover.secret = key.secret;
    else prover.private_key = *from_hex(client.print());
    const auto proof = prove(std::move(prover));
    EXPECT_TRUE(proof.ok()) << proof.what();
    return {print_key({key.grant, key.signature}), std::move(nonce), print_base64url(*proof)};
  }
  ClaimVerdict verdict(const ReservationClaim& one, const CommandBody& command,
                       const Reservation* found) const {
    return keys.check(one, proved_by_claim(command), found).verdict;
  }
};

} // namespace

// M6.1 to M6.5, M6.8
TEST_F(GivenASite, WhenSomebodyHasTheKeyThenTheClaimIsProvedInBothModes) {
  for (const auto mode : {KeyMode::secret, KeyMode::private_key}) {
    const auto made = reservation(mode);
    const auto key = key_of(made);
    EXPECT_EQ(key.secret.size(), mode == KeyMode::secret ? 32u : 0u);
    const auto grant = *decode_canonical<KeyGrant>(key.grant);
    EXPECT_EQ(grant.owner, "ann");
    EXPECT_EQ(grant.incarnation, ReservationKey{77});
    EXPECT_EQ(grant.not_after, Instant{3'000});
    const auto one = claim(key, job("a"), keys.draw_nonce());
    const auto checked = keys.check(one, proved_by_claim(job("a")), &made);
    EXPECT_EQ(checked.verdict, ClaimVerdict::proved);
    EXPECT_EQ(checked.number, ReservationNumber{14});
    EXPECT_EQ(checked.nonce, one.nonce);
  }
}

// M6.21
TEST_F(GivenASite, WhenAnyBitOfTheGrantIsAnotherThenTheKeyIsInvalid) {
  const auto made = reservation();
  const auto key = key_of(made);
  const auto good = claim(key, job("a"), keys.draw_nonce());
  for (std::size_t bit = 0; bit < key.grant.size() * 8; ++bit) {
    auto changed = key;
    changed.grant[bit / 8] = static_cast<char>(changed.grant[bit / 8] ^ (1 << bit % 8));
    auto one = good;
    one.key = print_key({changed.grant, changed.signature});
    ASSERT_EQ(verdict(one, job("a"), &made), ClaimVerdict::bad_key) << bit;
  }
  for (std::size_t bit = 0; bit < key.signature.size() * 8; ++bit) {
    auto changed = key;
    changed.signature[bit / 8] = static_cast<char>(changed.signature[bit / 8] ^ (1 << bit % 8));
    auto one = good;
    one.key = print_key({changed.grant, changed.signature});
    ASSERT_EQ(verdict(one, job("a"), &made), ClaimVerdict::bad_key) << bit;
  }
}

TEST_F(GivenASite, WhenANonceIsNoneOfTheSiteThenNothingOfItIsKept) {
  const auto made = reservation();
  auto one = claim(key_of(made), job("a"), keys.draw_nonce());
  for (const auto& nonce : {std::string(), std::string(1 << 20, 'A'), std::string("\xff\n")}) {
    one.nonce = nonce;
    const auto checked = keys.check(one, proved_by_claim(job("a")), &made);
    EXPECT_EQ(checked.verdict, ClaimVerdict::bad_proof);
    EXPECT_EQ(checked.nonce, "");
  }
  one.key = "v1.";
  EXPECT_EQ(keys.check(one, proved_by_claim(job("a")), &made).nonce, "");
}

// M6.22
TEST_F(GivenASite, WhenTheSecretOrThePrivateKeyIsAnotherThenTheProofIsInvalid) {
  const auto made = reservation();
  auto key = key_of(made);
  key.secret[0] = static_cast<char>(key.secret[0] ^ 1);
  EXPECT_EQ(verdict(claim(key, job("a"), keys.draw_nonce()), job("a"), &made),
            ClaimVerdict::bad_proof);
  const auto by_key = reservation(KeyMode::private_key);
  const auto of_key = key_of(by_key);
  client = SigningKey::generate(); // M6.11: the grant alone is of no use
  EXPECT_EQ(verdict(claim(of_key, job("a"), keys.draw_nonce()), job("a"), &by_key),
            ClaimVerdict::bad_proof);
}

// M6.25
TEST_F(GivenASite, WhenTheProofIsOfAnotherJobNonceOrSiteThenItIsInvalid) {
  const auto made = reservation();
  const auto key = key_of(made);
  auto one = claim(key, job("a"), keys.draw_nonce());
  EXPECT_EQ(verdict(one, job("b"), &made), ClaimVerdict::bad_proof);
  EXPECT_EQ(verdict(one, DeleteReservations{{"14"}, {}, false}, &made), ClaimVerdict::bad_proof);
  one.nonce = keys.draw_nonce();
  EXPECT_EQ(verdict(one, job("a"), &made), ClaimVerdict::bad_proof);
  one.nonce = "no nonce";
  EXPECT_EQ(verdict(one, job("a"), &made), ClaimVerdict::bad_proof);
  const ReservationKeys elsewhere("cell/other", files, random_bytes);
  EXPECT_EQ(
      elsewhere.check(claim(key, job("a"), keys.draw_nonce()), proved_by_claim(job("a")), &made)
          .verdict,
      ClaimVerdict::bad_key);
}

// M6.13, M6.26
TEST_F(GivenASite, WhenTheReservationIsGoneOrMadeAnewThenTheKeyIsInvalid) {
  const auto made = reservation();
  const auto one = claim(key_of(made), job("a"), keys.draw_nonce());
  EXPECT_EQ(verdict(one, job("a"), nullptr), ClaimVerdict::bad_key);
  auto anew = reservation();
  anew.key = {78};
  EXPECT_EQ(verdict(one, job("a"), &anew), ClaimVerdict::bad_key);
  auto resealed = made; // its secret is another one now
  resealed.sealed_secret = keys.draw_secret(ann);
  EXPECT_EQ(verdict(one, job("a"), &resealed), ClaimVerdict::bad_key);
}

// M6.5
TEST_F(GivenASite, WhenASealedSecretLiesWithAnotherReservationThenItIsNoSecretOfThat) {
  const auto made = reservation();
  EXPECT_EQ(made.sealed_secret.find(key_of(made).secret), std::string::npos);
  EXPECT_EQ(*keys.text(made, now), *keys.text(made, now)) << "asked again, it is the same";
  auto other = made;
  other.number = {15}, other.key = {78};
  EXPECT_NE(key_of(other).secret, key_of(made).secret);
  other.owner.user = "bob";
  EXPECT_FALSE(keys.text(other, now).ok()) << "it was sealed for ann";
  other = made, other.sealed_secret[20] = other.sealed_secret[20] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(keys.text(other, now).ok());
  other.sealed_secret = "";
  EXPECT_FALSE(keys.text(other, now).ok()) << "it has no key";
  auto changed = files;
  changed.sealing = std::string(32, 'd');
  EXPECT_FALSE(ReservationKeys("cell/store", changed, random_bytes).text(made, now).ok());
}

TEST_F(GivenASite, WhenAReservationIsOnlyHeldThenItsKeyNamesTheWindowThatIsProposed) {
  auto held = reservation();
  held.phase = ReservationPhase::proposed;
  held.shape = {};
  Proposal proposal;
  proposal.shape.window = {{5'000}, {6'000}};
  held.proposed = {proposal};
  EXPECT_EQ(decode_canonical<KeyGrant>(key_of(held).grant)->not_before, Instant{5'000});
}

// M6.2
TEST_F(GivenASite, WhenAYearHasPassedThenAnotherKeySignsAndTheOldOneIsKeptWhileItIsNeeded) {
  const auto make = [] { return SigningKey::generate(); };
  auto made = rotated({}, {100}, Instant::never(), make);
  ASSERT_EQ(made.size(), 2u) << "the next one is there already";
  EXPECT_EQ(made[0].since, Instant{100});
  EXPECT_EQ(made[1].since, Instant{100 + year});
  auto later = rotated(made, {200}, {150}, make);
  ASSERT_EQ(later.size(), 2u);
  EXPECT_EQ(later[0].key.public_key(), made[0].key.public_key());
  later = rotated(made, {100 + year}, {150}, make); // a reservation of the first year is there
  ASSERT_EQ(later.size(), 3u);
  EXPECT_EQ(later[2].since, Instant{100 + 2 * year});
  later = rotated(made, {100 + year}, {100 + year}, make);
  ASSERT_EQ(later.size(), 2u) << "the first is not needed any more";
  EXPECT_EQ(later[0].key.public_key(), made[1].key.public_key());
  later = rotated(made, {100 + 9 * year}, Instant::never(), make);
  ASSERT_EQ(later.size(), 2u);
  EXPECT_EQ(later[0].since, Instant{100 + 9 * year});
}

TEST_F(GivenASite, WhenItsKeyWasRotatedThenWhatTheOldOneSignedStillCounts) {
  const auto made = reservation();
  const auto old = claim(key_of(made), job("a"), keys.draw_nonce());
  auto rotated_files = files;
  rotated_files.keys.push_back({Instant{500}, SigningKey::generate()});
  const ReservationKeys today("cell/store", rotated_files, random_bytes);
  EXPECT_EQ(today.check(old, proved_by_claim(job("a")), &made).verdict, ClaimVerdict::proved);
  EXPECT_NE(*today.text(made, now), *keys.text(made, now));
  auto without = rotated_files;
  without.keys.erase(without.keys.begin());
  EXPECT_EQ(ReservationKeys("cell/store", without, random_bytes)
                .check(old, proved_by_claim(job("a")), &made)
                .verdict,
            ClaimVerdict::bad_key);
}

TEST_F(GivenASite, WhenAClientSaysWhatTheGateDrawsThenThatIsDropped) {
  const auto shared = std::make_shared<const ReservationKeys>("cell/store", files, random_bytes);
  CommandBody command = IssueChallenge{{14}, "mine"};
  ASSERT_TRUE(draw_for(command, ann, shared).ok());
  const auto nonce = std::get<IssueChallenge>(command).nonce;
  EXPECT_EQ(parse_base64url(nonce)->size(), 32u);
  EXPECT_FALSE(draw_for(command, ann, nullptr).ok());
  PrepareReservation prepare;
  prepare.sealed_secret = "mine";
  command = prepare;
  ASSERT_TRUE(draw_for(command, ann, nullptr).ok());
  EXPECT_EQ(std::get<PrepareReservation>(command).sealed_secret, "") << "no key is asked for";
  prepare.with_key = true, command = prepare;
  EXPECT_FALSE(draw_for(command, ann, nullptr).ok());
  ASSERT_TRUE(draw_for(command, ann, shared).ok());
  EXPECT_EQ(std::get<PrepareReservation>(command).sealed_secret.size(), 80u);
  prepare.request.public_key = print_base64url(client.public_key()), command = prepare;
  ASSERT_TRUE(draw_for(command, ann, shared).ok());
  EXPECT_EQ(std::get<PrepareReservation>(command).sealed_secret, "") << "mode P";
}
