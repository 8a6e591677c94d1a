// What readers see: the records as of the last batch that was published.
#include "actors/master/views.hpp"
#include "core/answer/gridengine.hpp"
#include "core/planning/planner.hpp"
#include "core/text/words.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

class GivenViews : public ActorFixture {
public:
  MemoryStore store;
  ListedNotebook notebook;
  ViewsActor views = keep(spawn_views(system, directory, &notebook, &store));
  Planner planner = *Planner::restore(Planner::initial_records("root", "master"));
  Caller root{"root", "root", 0, 0, "master", "unix door"};

  GivenViews() { publish(planner.state().records().as_effects()); }
  void publish(std::vector<Effect> effects) {
    std::vector<std::vector<Effect>> decided{std::move(effects)};
    tell(views,
         Publish{std::make_shared<const std::vector<std::vector<Effect>>>(decided), clock.now()});
  }
  std::vector<Effect> decided(CommandBody body) {
    auto valid = validated(Command{root, std::move(body)});
    return planner.handle(std::get<Valid<Command>>(valid), clock.now()).effects;
  }
  JobRequest job() const {
    JobRequest request;
    request.name = "job", request.command = "/bin/true", request.binary = true;
    return request;
  }
  std::size_t jobs_seen() {
    const auto reply = ask<QueryReply>(*this, views, Query{root, door::GetJobs{}});
    std::size_t count = 0;
    while (auto body = reply->value().frames->next())
      if (const auto* jobs = std::get_if<door::Jobs>(&*body)) count += jobs->jobs.size();
    return count;
  }
  // What the names and users of a query mean.
  door::Reservations shown(door::GetReservations query) {
    const auto reply = ask<QueryReply>(*this, views, Query{root, std::move(query)});
    door::Reservations all;
    while (auto body = reply->value().frames->next()) {
      auto& frame = std::get<door::Reservations>(*body);
      for (auto& view : frame.reservations) all.reservations.push_back(std::move(view));
      for (auto& word : frame.unknown) all.unknown.push_back(std::move(word));
    }
    return all;
  }
  void reserve(std::int64_t number, const std::string& name, const std::string& owner) {
    Reservation record;
    record.key = {100 + number}, record.number = {number}, record.request.name = name;
    record.owner = {owner, "users", 1000 + number, 100, "master"};
    record.phase = ReservationPhase::waiting;
    record.shape.window = {clock.now() + Duration{60}, clock.now() + Duration{120}};
    record.shape.bookings = {{Container::host("h1"), "load_avg", 1'500'000},
                             {Container::host("h1"), "mem_free", 2LL << 30},
                             {Container::host("h1"), "gone", 7}};
    publish({std::make_shared<const Reservation>(std::move(record))});
  }
  std::string numbers(const door::GetReservations& query) {
    std::string text;
    const auto all = shown(query);
    for (const auto& view : all.reservations) text += to_string(view.number) + " ";
    for (const auto& word : all.unknown) text += "no " + word + " ";
    return text;
  }
  // "A/1 2/9 root", a line for each row, and how many frames they came in.
  std::string quotas(const Caller& caller, const door::GetQuotas& query) {
    const auto reply = ask<QueryReply>(*this, views, Query{caller, query});
    std::string text;
    frames = 0;
    for (; auto body = reply->value().frames->next(); ++frames) {
      if (const auto* answer = std::get_if<Answer>(&*body))
        return gridengine::lines_of(*answer).front().text;
      for (const auto& row : std::get<door::Quotas>(*body).rows) {
        text += row.rule + " " + row.used + "/" + row.limit;
        for (const auto& filter : row.filters) text += " " + join(filter.included, ",");
        text += "\n";
      }
    }
    return text;
  }
  int frames = 0;
  // A job that holds a slot from now on, at the only place there is.
  void hold(std::int64_t number, const std::string& user) {
    Job record;
    record.key = {100 + number}, record.number = {number};
    record.owner = {user, "users", 1000 + number, 100, "master"};
    Hold planned;
    planned.window = {clock.now(), clock.now() + Duration{100}};
    planned.grants = {{{"all.q", "h1"}, 1}};
    record.holds = {planned};
    publish({std::make_shared<const Job>(std::move(record))});
  }
  void limit(const std::string& rule) {
    publish(decided(AddHost{"h1", 2000}));
    publish(
        decided(Configure{{ChangeVerb::add, {ObjectKind::quota_set, "A", {{"limit", rule}}}, {}}}));
  }
  std::string line(const std::string& name) {
    const auto text = ask<ActorState>(*this, views, Inspect{})->value().text;
    const auto at = text.find(name + ": ") + name.size() + 2;
    return text.substr(at, text.find('\n', at) - at);
  }
};

} // namespace

TEST_F(GivenViews, WhenABatchIsPublishedThenReadersSeeItAndNotBefore) {
  auto effects = decided(Submit{job(), ""});
  EXPECT_EQ(jobs_seen(), 0u);
  publish(std::move(effects));
  EXPECT_EQ(jobs_seen(), 1u);
  publish(decided(DeleteJobs{{"1"}, {}, {}, false}));
  EXPECT_EQ(jobs_seen(), 0u);
  EXPECT_EQ(line("violation"), "none");
}

TEST_F(GivenViews, WhenSomebodyAsksThenItIsInHandWhileItIsAnswered) {
  jobs_seen();
  ASSERT_EQ(notebook.noted.size(), 2u);
  EXPECT_EQ(notebook.noted.front().substr(0, 2), "0/");
  EXPECT_EQ(notebook.noted.back(), "");
  notebook.poison = notebook.noted.front();
  EXPECT_EQ(jobs_seen(), 0u);
  EXPECT_EQ(notebook.noted.size(), 2u) << "it is not tried a third time";
}

TEST_F(GivenViews, WhenRecordsBreakAnInvariantThenTheViewsSayWhich) {
  publish(decided(Submit{job(), ""}));
  Task task;
  task.job = planner.state().job_by_number({1})->key;
  task.grants = {{{"all.q", "h1"}, 1}};
  publish({std::make_shared<const Task>(std::move(task))});
  EXPECT_NE(line("violation"), "none") << "what waits has a place";
}

TEST_F(GivenViews, WhenReservationsAreNamedThenOnlyThoseAreShownAndWhatIsNoneIsTold) {
  reserve(1, "first", "alice"), reserve(2, "second", "bob"), reserve(3, "third", "alice");
  EXPECT_EQ(numbers({}), "1 2 3 ");
  EXPECT_EQ(numbers({{"R2", "3", "9"}, {}}), "2 3 no 9 ");
  EXPECT_EQ(numbers({{"*ir*"}, {}}), "1 3 ");
  EXPECT_EQ(numbers({{}, {"b*"}}), "2 ");
  EXPECT_EQ(numbers({{}, {"$user"}}), "");
  EXPECT_EQ(numbers({{"1", "2"}, {"alice"}}), "1 no 2 ");
}

TEST_F(GivenViews, WhenAReservationIsShownThenItsAmountsArePrintedAsAUserWouldTypeThem) {
  reserve(1, "first", "alice");
  const auto all = shown({});
  ASSERT_EQ(all.reservations.size(), 1u);
  const auto& bookings = all.reservations.front().shape.bookings;
  ASSERT_EQ(bookings.size(), 3u);
  EXPECT_EQ(bookings[0].printed, "1.5");
  EXPECT_EQ(bookings[1].printed, "2G");
  EXPECT_EQ(bookings[2].printed, "7") << "its complex is gone";
}

// quotas Q6.4, Q6.8
TEST_F(GivenViews, WhenQuotasAreAskedAboutThenTheirUseFollowsWhatIsPublished) {
  EXPECT_EQ(quotas(root, {}), "");
  EXPECT_EQ(frames, 1);
  limit("limit users {*} hosts @allhosts to slots=9");
  EXPECT_EQ(quotas(root, {}), "");
  hold(1, "root"), hold(2, "alice"), hold(3, "root");
  EXPECT_EQ(quotas(root, {}), "A/1 2/9 root @allhosts\n") << "who asks is meant";
  door::GetQuotas all;
  all.selection.users = {"*"};
  EXPECT_EQ(quotas(root, all), "A/1 1/9 alice @allhosts\nA/1 2/9 root @allhosts\n");
  door::GetQuotas met;
  met.job = {2};
  EXPECT_EQ(quotas(root, met), "A/1 1/9 alice @allhosts\n");
  met.job = {7};
  EXPECT_EQ(quotas(root, met), "job 7 does not exist");
}

TEST_F(GivenViews, WhenRowsOfQuotasAreManyThenTheyComeInSeveralFrames) {
  limit("limit users {*} to slots=9");
  for (int number = 0; number < 401; ++number) hold(number + 1, "u" + std::to_string(number));
  door::GetQuotas all;
  all.selection.users = {"u*"};
  const auto rows = quotas(root, all);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 401);
  EXPECT_TRUE(rows.starts_with("A/1 1/9 u0\nA/1 1/9 u1\nA/1 1/9 u10\n")) << rows.substr(0, 80);
  EXPECT_EQ(frames, 2);
}

TEST_F(GivenViews, WhenARuleListsVeryManyHostsThenItsRowsComeInMoreFrames) {
  std::string hosts;
  for (int number = 0; number < 2'000; ++number) hosts += ",host" + std::to_string(number);
  limit("limit users {*} hosts h1" + hosts + " to slots=9");
  for (int number = 0; number < 10; ++number) hold(number + 1, "u" + std::to_string(number));
  door::GetQuotas all;
  all.selection.users = {"u*"};
  quotas(root, all);
  EXPECT_GE(frames, 4);
}
