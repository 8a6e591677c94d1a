// What readers see: the records as of the last batch that was published.
#include "actors/master/views.hpp"
#include "core/planning/planner.hpp"
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
