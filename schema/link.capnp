# What crosses a link between daemons: a packet of a session, or a part of it.
#
# Rules: fields are only added, at the end and with new numbers; a missing field reads as 0, so 0 is
# the plain case. See schema/README.md.
@0xb7d1f0a94c2e6a35;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("almanac::wire");

struct LinkFrame {
  sequence @0 :UInt64;
  acknowledged @1 :UInt64;
  content @2 :Data;
  more @3 :Bool;
}
