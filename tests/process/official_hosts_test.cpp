// Hosts in the words of commands (docs/spec/objects.md O12.3).
#include "tools/commands/official_hosts.hpp"

#include "core/text/words.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

const auto of_two_hosts = HostAliases::parse("n1 n1-ib\nn2 n2-ib\n");

std::string typed(const std::string& line, const HostAliases& aliases = of_two_hosts) {
  auto all = words(line, " ");
  const auto command = all.front();
  all.erase(all.begin());
  return join(with_official_hosts(command, all, aliases), " ");
}

} // namespace

TEST(GivenAliases, WhenACommandNamesHostsThenTheOfficialNamesAreMeant) {
  EXPECT_EQ(typed("qconf -ah N1-IB,other,n2-ib"), "-ah n1,other,n2");
  EXPECT_EQ(typed("qconf -sconf n1-ib -se n2-ib"), "-sconf n1 -se n2");
  EXPECT_EQ(typed("qhost -q -h n1-ib"), "-q -h n1");
  EXPECT_EQ(typed("qmod -d all.q@n1-ib b.q@n2-ib,c.q"), "-d all.q@n1 b.q@n2,c.q");
  EXPECT_EQ(typed("qstat -q all.q@n1-ib,@n1-ib,all.q@@n1-ib -l h=n2-ib,arch=n1-ib"),
            "-q all.q@n1,@n1-ib,all.q@@n1-ib -l h=n2,arch=n1-ib");
}

TEST(GivenAliases, WhenAJobOrAReservationRequestsHostsThenTheOfficialNamesAreMeant) {
  const auto aliases = HostAliases::parse("n1 n1-ib\nn2 n2-ib\n");
  JobRequest job;
  job.queues = {"all.q@N1-IB", "n1-ib", "all.q@@n1-ib", "*@n2-ib"};
  job.master_queues = job.soft_queues = {"all.q@n2-ib"};
  job.resources = {{"h", "n1-ib|(n2-ib&!other)"}, {"arch", "n1-ib"}};
  job.soft_resources = {{"hostname", "n1-i*"}};
  use_official_hosts(job, aliases);
  EXPECT_EQ(join(job.queues, " "), "all.q@n1 n1-ib all.q@@n1-ib *@n2");
  EXPECT_EQ(job.master_queues.front(), "all.q@n2");
  EXPECT_EQ(job.soft_queues.front(), "all.q@n2");
  EXPECT_EQ(job.resources.front().value, "n1|(n2&!other)");
  EXPECT_EQ(job.resources.back().value, "n1-ib");
  EXPECT_EQ(job.soft_resources.front().value, "n1-i*") << "a pattern";
  ReservationRequest reservation;
  reservation.resources = {{"hostname", "n2-ib"}};
  use_official_hosts(reservation, aliases);
  EXPECT_EQ(reservation.resources.front().value, "n2");
}

// O12.3
TEST(GivenAliases, WhenAnObjectIsChangedThenItsHostsHaveTheirOwnNames) {
  const auto changed = [](ObjectKind kind, const char* name, std::vector<Attribute> attributes) {
    ConfigurationChange change{ChangeVerb::modify, {kind, name, std::move(attributes)}, {}};
    use_official_hosts(change, of_two_hosts);
    std::string text = change.object.name;
    for (const auto& [attribute, value] : change.object.attributes)
      text += "; " + attribute + " " + value;
    return text;
  };
  EXPECT_EQ(changed(ObjectKind::cluster_queue, "all.q@n1-ib", {{"slots", "4"}}),
            "all.q@n1; slots 4");
  EXPECT_EQ(changed(ObjectKind::cluster_queue, "n1-ib",
                    {{"hostlist", "n1-ib @n1-ib"},
                     {"slots", "1, [n2-ib=4],[@n1-ib=2]"},
                     {"complex_values", "[n1-ib=gpu=1]"},
                     {"pe_list", "NONE,  [@n1-ib=make]"},
                     {"qname", "n1-ib"}}),
            "n1-ib; hostlist n1 @n1-ib; slots 1,[n2=4],[@n1-ib=2]; complex_values [n1=gpu=1]; "
            "pe_list NONE,  [@n1-ib=make]; qname n1-ib");
  EXPECT_EQ(changed(ObjectKind::host_group, "@n1-ib", {{"hostlist", "NONE"}}),
            "@n1-ib; hostlist NONE");
  EXPECT_EQ(changed(ObjectKind::host_group, "@all", {{"hostlist", "other,n2-ib"}}),
            "@all; hostlist other,n2");
  EXPECT_EQ(changed(ObjectKind::exec_host, "n1-ib", {{"hostname", "n1-ib"}}), "n1; hostname n1");
}

// O2.11
TEST(GivenAliases, WhenDomainsAreIgnoredThenThoseOfHostsAreAndQueuesKeepTheirNames) {
  const auto short_names = HostAliases::parse("", "ignore_fqdn true\n");
  EXPECT_EQ(typed("qmod -d all.q@n1.site.org all.q", short_names), "-d all.q@n1 all.q");
  EXPECT_EQ(typed("qconf -sq all.q -se n1.site.org,global", short_names),
            "-sq all.q -se n1,global");
  EXPECT_EQ(typed("qstat -q all.q,*@n1.site.org -l h=n1.site.org", short_names),
            "-q all.q,*@n1 -l h=n1");
  const auto long_names = HostAliases::parse("", "default_domain site.org\n");
  EXPECT_EQ(typed("qmod -d short@n1 short", long_names), "-d short@n1.site.org short");
  EXPECT_EQ(typed("qhost -h n1,n2.other.org", long_names), "-h n1.site.org,n2.other.org");
  JobRequest job;
  job.queues = {"short", "short@n1"}, job.resources = {{"h", "n1|n2"}};
  use_official_hosts(job, long_names);
  EXPECT_EQ(join(job.queues, " "), "short short@n1.site.org");
  EXPECT_EQ(job.resources.front().value, "n1.site.org|n2.site.org");
}

TEST(GivenAliases, WhenAWordIsNoHostThenItStays) {
  EXPECT_EQ(typed("qsub -q all.q@n1-ib job.sh -h n1-ib"), "-q all.q@n1-ib job.sh -h n1-ib");
  EXPECT_EQ(typed("qstat -u n1-ib"), "-u n1-ib");
  EXPECT_EQ(typed("qconf -am n1-ib"), "-am n1-ib");
  EXPECT_EQ(typed("qmod -sj n1-ib"), "-sj n1-ib");
  EXPECT_EQ(typed("qconf -ah"), "-ah");
}
