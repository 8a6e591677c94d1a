// qconf's attribute switches: what each verb makes of values of each shape.
#include "tests/core/configuration/value_change_fixture.hpp"

#include <algorithm>

using namespace almanac;

namespace {

class GivenObjectsOfACell : public ValueChangeFixture {};

// ---- lists of names ---------------------------------------------------------------------------

class GivenAListOfNames : public GivenObjectsOfACell {
public:
  std::string entries(ChangeVerb verb, const std::string& names) {
    return change(verb, ObjectKind::userset, "staff", {{"entries", names}});
  }
  std::string entries() const { return value(ObjectKind::userset, "staff", "entries"); }
};

} // namespace

TEST_F(GivenAListOfNames, WhenSomeAreAddedThenThoseThatAreThereAreNoted) {
  // C8.39
  EXPECT_EQ(entries(add, "ann,bob"), "");
  EXPECT_EQ(entries(), "ann,bob");
  EXPECT_EQ(entries(add, "bob cyd"),
            "No modification because \"bob\" already exists in \"entries\" of \"userset\"\n");
  EXPECT_EQ(entries(), "ann,bob,cyd") << "the others are added";
  EXPECT_EQ(entries(add, "dan,dan"),
            "No modification because \"dan\" already exists in \"entries\" of \"userset\"\n");
  EXPECT_EQ(entries(), "ann,bob,cyd,dan");
}

TEST_F(GivenAListOfNames, WhenSomeAreDeletedThenThoseThatAreMissingAreNoted) {
  entries(replace, "ann,bob,cyd");
  EXPECT_EQ(entries(remove_them, "eve,bob"),
            "\"eve\" does not exist in \"entries\" of \"userset\"\n");
  EXPECT_EQ(entries(), "ann,cyd");
  EXPECT_EQ(entries(remove_them, "cyd,ann"), "");
  EXPECT_EQ(entries(), "NONE");
}

TEST_F(GivenAListOfNames, WhenItIsModifiedThenWhatIsMissingIsAdded) {
  // C8.40
  EXPECT_EQ(entries(modify, "ann,bob"),
            "\"entries\" of \"userset\" is empty - Adding new element(s).\n");
  EXPECT_EQ(entries(modify, "bob,eve"),
            "Unable to find \"eve\" in \"entries\" of \"userset\" - Adding new element.\n");
  EXPECT_EQ(entries(), "ann,bob,eve");
}

TEST_F(GivenAListOfNames, WhenItIsReplacedThenNothingElseIsLeft) {
  entries(add, "ann,bob");
  EXPECT_EQ(entries(replace, "eve"), "");
  EXPECT_EQ(entries(), "eve");
  EXPECT_EQ(entries(replace, "NONE"), "");
  EXPECT_EQ(entries(), "NONE");
}

TEST_F(GivenAListOfNames, WhenNoNameIsGivenThenOnlyReplacingMakesSense) {
  // C8.45
  for (const auto verb : {add, remove_them, modify})
    EXPECT_EQ(entries(verb, "NONE"), "refused: attribute \"entries\": \"NONE\" has no element: "
                                     "only -rattr takes an empty list");
}

TEST_F(GivenAListOfNames, WhenANameIsNoneOfAUserThenItIsRefusedLikeInAnyOtherChange) {
  EXPECT_EQ(entries(add, "a*"), "refused: userset \"staff\": attribute \"entries\": \"a*\" is not "
                                "a user or @group");
}

TEST_F(GivenAListOfNames, WhenItIsWrittenWithBlanksThenItStaysSo) {
  change(remove_them, ObjectKind::cluster_queue, "all.q", {{"pe_list", "smp"}});
  EXPECT_EQ(value(ObjectKind::cluster_queue, "all.q", "pe_list"), "make mpi fill");
}

TEST_F(GivenAListOfNames, WhenItHasThousandsOfElementsThenNotAllAreNoted) {
  std::string many = "u0";
  for (int i = 1; i < 20'000; ++i) many += ",u" + std::to_string(i);
  entries(add, many);
  const auto notes = entries(add, many);
  EXPECT_EQ(std::count(notes.begin(), notes.end(), '\n'), 100);
  EXPECT_EQ(entries(), many);
  entries(remove_them, many);
  EXPECT_EQ(entries(), "NONE");
}

TEST_F(GivenObjectsOfACell, WhenHostsAreNamedThenTheirLetterCaseIsTheSame) {
  const auto group = [&](ChangeVerb verb, const std::string& hosts) {
    return change(verb, ObjectKind::host_group, "@g", {{"hostlist", hosts}});
  };
  EXPECT_EQ(group(add, "H2"), "");
  EXPECT_EQ(value(ObjectKind::host_group, "@g", "hostlist"), "h1 h2");
  EXPECT_EQ(group(add, "H1"),
            "No modification because \"H1\" already exists in \"hostlist\" of \"hostgroup\"\n");
  EXPECT_EQ(group(remove_them, "H1"), "");
  EXPECT_EQ(value(ObjectKind::host_group, "@g", "hostlist"), "h2");
  EXPECT_EQ(group(add, "nosuch"),
            "refused: host group \"@g\": host \"nosuch\" is not an exec host");
}

// ---- lists of name=value ----------------------------------------------------------------------

TEST_F(GivenObjectsOfACell, WhenAmountsAreChangedThenEachIsFoundByItsName) {
  const auto values = [&](ChangeVerb verb, const std::string& amounts) {
    return change(verb, ObjectKind::exec_host, "h1", {{"complex_values", amounts}});
  };
  const auto now = [&] { return value(ObjectKind::exec_host, "h1", "complex_values"); };
  EXPECT_EQ(values(add, "licences=4,slots=8"), "");
  EXPECT_EQ(values(add, "licences=5"), "No modification because \"licences\" already exists in "
                                       "\"complex_values\" of \"exechost\"\n");
  EXPECT_EQ(now(), "licences=4,slots=8");
  EXPECT_EQ(values(modify, "licences=5"), "");
  EXPECT_EQ(now(), "licences=5,slots=8");
  EXPECT_EQ(values(remove_them, "licences"), "");
  EXPECT_EQ(now(), "slots=8");
  EXPECT_EQ(values(remove_them, "licences=5"),
            "\"licences\" does not exist in \"complex_values\" of \"exechost\"\n");
  EXPECT_EQ(values(modify, "licences=6"), "Unable to find \"licences\" in \"complex_values\" of "
                                          "\"exechost\" - Adding new element.\n");
  EXPECT_EQ(values(replace, "licences=7"), "");
  EXPECT_EQ(now(), "licences=7");
  EXPECT_EQ(values(remove_them, "licences=nonsense"), "") << "only the name counts";
  EXPECT_EQ(now(), "NONE");
}

TEST_F(GivenObjectsOfACell, WhenAnAmountIsWrongThenItIsRefusedLikeInAnyOtherChange) {
  const auto values = [&](const std::string& amounts) {
    return change(add, ObjectKind::exec_host, "h1", {{"complex_values", amounts}});
  };
  EXPECT_EQ(values("nosuch=1"),
            "refused: exechost \"h1\": complex attribute \"nosuch\" does not exist");
  EXPECT_TRUE(values("licences=-1").starts_with("refused: exechost \"h1\": "));
  EXPECT_EQ(values("licences"), "refused: exechost \"h1\": attribute \"complex_values\": "
                                "\"licences\" must be written name=value");
  EXPECT_EQ(value(ObjectKind::exec_host, "h1", "complex_values"), "NONE");
}

// ---- one value --------------------------------------------------------------------------------

TEST_F(GivenObjectsOfACell, WhenAnAttributeHasOneValueThenItIsSetAndNeverDeleted) {
  // C8.41
  int slots = 4;
  for (const auto verb : {add, modify, replace}) {
    const auto text = std::to_string(++slots);
    EXPECT_EQ(change(verb, ObjectKind::parallel_environment, "smp", {{"slots", text}}), "");
    EXPECT_EQ(value(ObjectKind::parallel_environment, "smp", "slots"), text);
  }
  EXPECT_EQ(change(remove_them, ObjectKind::parallel_environment, "smp", {{"slots", "7"}}),
            "refused: attribute \"slots\": it has one value: only elements of lists, and values of "
            "hosts and groups, can be deleted");
}

TEST_F(GivenObjectsOfACell, WhenOneOfTheOtherKindsIsChangedThenItIsTheSame) {
  // C8.43
  make({ChangeVerb::add, template_of(ObjectKind::calendar, "c"), {}});
  make({ChangeVerb::add, template_of(ObjectKind::project, "p"), {}});
  make({ChangeVerb::add, template_of(ObjectKind::user, "u"), {}});
  EXPECT_EQ(change(modify, ObjectKind::calendar, "c", {{"week", "mon-fri=8-18=off"}}), "");
  EXPECT_EQ(value(ObjectKind::calendar, "c", "week"), "mon-fri=8-18=off");
  EXPECT_EQ(change(add, ObjectKind::project, "p", {{"acl", "staff"}}), "");
  EXPECT_EQ(value(ObjectKind::project, "p", "acl"), "staff");
  EXPECT_EQ(change(modify, ObjectKind::user, "u", {{"default_project", "p"}}), "");
  EXPECT_EQ(value(ObjectKind::user, "u", "default_project"), "p");
  EXPECT_EQ(change(modify, ObjectKind::managers, "", {{"entries", "ann"}}),
            "refused: Modification of object \"manager\" not supported");
}

TEST_F(GivenObjectsOfACell, WhenSeveralAttributesAreNamedThenAllAreChangedOrNone) {
  // C8.46
  const auto queue = [&](std::vector<Attribute> values) {
    return change(modify, ObjectKind::cluster_queue, "all.q", std::move(values));
  };
  EXPECT_EQ(queue({{"slots", "3"}, {"seq_no", "7"}, {"qname", "all.q"}}), "");
  EXPECT_EQ(value(ObjectKind::cluster_queue, "all.q", "slots"), "3");
  EXPECT_EQ(value(ObjectKind::cluster_queue, "all.q", "seq_no"), "7");
  EXPECT_EQ(queue({{"slots", "4"}, {"seq_no", "many"}}),
            "refused: cluster queue \"all.q\": attribute \"seq_no\": \"many\" is not a number from "
            "0 to 9999999");
  EXPECT_EQ(queue({{"slots", "4"}, {"slots", "5"}}),
            "refused: attribute \"slots\" appears more than once");
  EXPECT_EQ(value(ObjectKind::cluster_queue, "all.q", "slots"), "3");
}

TEST_F(GivenObjectsOfACell, WhenAnAttributeIsNotKnownThenItIsNamed) {
  // C8.44
  const auto queue = [&](ChangeVerb verb, const char* attribute, const char* text) {
    return change(verb, ObjectKind::cluster_queue, "all.q", {{attribute, text}});
  };
  for (const auto verb : {add, remove_them, modify, replace}) // objects O0.6
    EXPECT_EQ(queue(verb, "nosuch", "1"), "refused: unknown attribute name \"nosuch\"");
  EXPECT_EQ(change(modify, ObjectKind::parallel_environment, "mpi", {{"qsort_args", "NONE"}}), "")
      << "Grid Engine has it";
  EXPECT_EQ(value(ObjectKind::parallel_environment, "mpi", "qsort_args"), "NONE");
  EXPECT_EQ(change(modify, ObjectKind::parallel_environment, "mpi", {{"qsort_args", "x y"}}),
            "refused: attribute \"qsort_args\": \"x y\" is not built yet, only NONE");
  EXPECT_EQ(queue(modify, "qname", "b.q"), "refused: cluster queue \"all.q\": attribute \"qname\": "
                                           "\"b.q\" is not the object's name \"all.q\"");
  EXPECT_EQ(change(modify, ObjectKind::cluster_queue, "b.q", {{"slots", "1"}}),
            "refused: denied: cluster queue \"b.q\" does not exist");
}

// ---- values of hosts and groups ---------------------------------------------------------------

namespace {

class GivenAQueue : public GivenObjectsOfACell {
public:
  std::string slots(ChangeVerb verb, const std::string& text, const std::string& id) {
    return change(verb, ObjectKind::cluster_queue, id, {{"slots", text}});
  }
  std::string now(const std::string& attribute = "slots") const {
    return value(ObjectKind::cluster_queue, "all.q", attribute);
  }
};

} // namespace

TEST_F(GivenAQueue, WhenAnInstanceOrAGroupIsNamedThenItsValueIsSet) {
  // cli C8.19
  EXPECT_EQ(slots(replace, "8", "all.q"), "");
  EXPECT_EQ(slots(replace, "4", "all.q@h1"), "");
  EXPECT_EQ(now(), "8,[h1=4]");
  EXPECT_EQ(slots(modify, "2", "all.q@@g"), "");
  EXPECT_EQ(now(), "8,[h1=4],[@g=2]");
  EXPECT_EQ(slots(modify, "3", "all.q@H1"), "");
  EXPECT_EQ(now(), "8,[h1=3],[@g=2]");
  EXPECT_EQ(slots(replace, "6", "all.q"), "");
  EXPECT_EQ(now(), "6,[h1=3],[@g=2]") << "values of hosts stay";
}

TEST_F(GivenAQueue, WhenTheValueNamesHostsThenTheirsAreSet) {
  // C8.42
  EXPECT_EQ(slots(add, "[h2=7]", "all.q"), "");
  EXPECT_EQ(now(), "1,[h2=7]");
  EXPECT_EQ(slots(modify, "5,[H2=9],[@g=2]", "all.q"), "");
  EXPECT_EQ(now(), "5,[h2=9],[@g=2]");
}

TEST_F(GivenAQueue, WhenAValueOfAHostIsDeletedThenTheDefaultCounts) {
  slots(replace, "6,[h1=3],[h2=9],[@g=2]", "all.q");
  EXPECT_EQ(slots(remove_them, "1", "all.q@h2"),
            "\"1\" does not exist in \"slots\" of \"queue\"\n");
  EXPECT_EQ(now(), "6,[h1=3],[h2=9],[@g=2]");
  EXPECT_EQ(slots(remove_them, "9", "all.q@h2"), "");
  EXPECT_EQ(slots(remove_them, "[@g=2]", "all.q"), "");
  EXPECT_EQ(now(), "6,[h1=3]");
  EXPECT_EQ(slots(remove_them, "9", "all.q@h2"),
            "\"h2\" does not exist in \"slots\" of \"queue\"\n");
  EXPECT_EQ(slots(remove_them, "6", "all.q"),
            "refused: attribute \"slots\": it has one value: only elements of lists, and values of "
            "hosts and groups, can be deleted");
}

TEST_F(GivenAQueue, WhenAListOfAHostIsChangedThenItBeginsEmpty) {
  const auto list = [&](ChangeVerb verb, const std::string& names, const std::string& id) {
    return change(verb, ObjectKind::cluster_queue, id, {{"pe_list", names}});
  };
  EXPECT_EQ(list(add, "smp", "all.q@h1"), "");
  EXPECT_EQ(now("pe_list"), "make smp mpi fill,[h1=smp]");
  EXPECT_EQ(list(add, "smp,mpi", "all.q@h1"),
            "No modification because \"smp\" already exists in \"pe_list\" of \"queue\"\n");
  EXPECT_EQ(now("pe_list"), "make smp mpi fill,[h1=smp,mpi]");
  EXPECT_EQ(list(remove_them, "make,[h1=smp]", "all.q"), "");
  EXPECT_EQ(now("pe_list"), "smp mpi fill,[h1=mpi]");
  EXPECT_EQ(list(remove_them, "mpi", "all.q@h1"), "");
  EXPECT_EQ(now("pe_list"), "smp mpi fill,[h1=NONE]");
  EXPECT_EQ(list(add, "nosuch", "all.q@h1"),
            "refused: cluster queue \"all.q\": parallel environment \"nosuch\" does not exist");
  EXPECT_EQ(
      change(modify, ObjectKind::cluster_queue, "all.q@h1", {{"load_thresholds", "np_load_avg=2"}}),
      "\"load_thresholds\" of \"queue\" is empty - Adding new element(s).\n");
  EXPECT_EQ(now("load_thresholds"), "np_load_avg=1.75,[h1=np_load_avg=2]");
}

TEST_F(GivenAQueue, WhenSenselessHostsOrValuesAreGivenThenNothingIsChanged) {
  const auto refusal = [&](const std::string& text, const std::string& id) {
    const auto said = slots(replace, text, id);
    EXPECT_EQ(now(), "1");
    return said;
  };
  EXPECT_EQ(refusal("4", "all.q@h1=9"),
            "refused: attribute \"slots\": \"h1=9\" is not a host or a @group");
  EXPECT_EQ(refusal("4", "all.q@"), "refused: attribute \"slots\": \"\" is not a host or a @group");
  EXPECT_EQ(refusal("4", "all.q@@"),
            "refused: attribute \"slots\": \"@\" is not a host or a @group");
  EXPECT_EQ(refusal("4", "all.q@@none"),
            "refused: cluster queue \"all.q\": host group \"@none\" does not exist");
  EXPECT_EQ(refusal("4],[h2=5", "all.q@h1"),
            "refused: attribute \"slots\": \"4],[h2=5\": the value of one host has no brackets");
  EXPECT_EQ(refusal("", "all.q"), "refused: attribute \"slots\": no value is given");
  EXPECT_EQ(refusal("[h1=4", "all.q"), "refused: attribute \"slots\": \"[h1=4\": an override is "
                                       "written [host=value]");
  EXPECT_EQ(change(add, ObjectKind::cluster_queue, "all.q@h1", {{"hostlist", "h2"}}),
            "refused: attribute \"hostlist\": it has no values of single hosts and groups");
}

// ---- kinds of objects -------------------------------------------------------------------------

TEST(GivenKindsOfObjects, WhenTheyAreNamedThenEachHasOneWordForTheAttributeSwitches) {
  EXPECT_EQ(kind_called("resource_quota"), ObjectKind::quota_set);
  EXPECT_EQ(kind_called("rqs"), ObjectKind::quota_set); // Q5.21
  EXPECT_EQ(kind_called("queue"), ObjectKind::cluster_queue);
  EXPECT_EQ(kind_called("hostgroup"), ObjectKind::host_group);
  EXPECT_EQ(kind_called("exechost"), ObjectKind::exec_host);
  EXPECT_EQ(kind_called("pe"), ObjectKind::parallel_environment);
  EXPECT_EQ(kind_called("ckpt"), ObjectKind::checkpoint); // C8.43
  for (const char* other :
       {"", "checkpoint interface", "manager", "complex entry", "cluster queue"})
    EXPECT_EQ(kind_called(other), std::nullopt) << other;
}
