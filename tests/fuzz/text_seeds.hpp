// What people write, for the targets that read text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace almanac {

inline std::vector<std::pair<std::string, std::string>> text_seeds() {
  using namespace std::string_literals;
  return {
      {"options",
       "0-N\nname\n-l\nh_rt=0:10:0,mem=1G\n-q\nall.q,*@h1\n-j\ny\n-t\n1-10:2\njob.sh\nx\0"
       "#!/bin/sh\n#$ -N other -cwd\n"s},
      {"options", "0-b\ny\n-shell\nn\n-pe\nsmp\n2-4,8\n-R\ny\n-a\n202612312359.30\n-dl\n12312359\n-"
                  "v\nA=1,B\n-V\n-m\nbea\n-M\na@b\n/bin/true"},
      {"options", "0-hold_jid\n1,2\n-h\nu\n-p\n-5\n-P\np\n-ar\n1\n-w\nv\n-soft\n-q\nall.q\n-hard\n-"
                  "masterq\nall.q\n-tc\n2\n-now\ny\n-sync\ny\n-terse\n-C\n#!\n-"},
      {"options", "0-o\n/tmp/o\n-e\ne\n-S\n/bin/sh\n-wd\n/"
                  "w\n-r\nn\n-notify\n-ac\nA=1\n-A\nacct\n-js\n3\n-ot\n4\n-c\nx\n-ckpt\nx\n-help"},
      {"options",
       "1-a\n202612312359\n-d\n1:0:0\n-e\n01020304\n-pe\nsmp\n2-4\n-l\nh_vmem=1G\n-q\nall.q\n-"
       "N\nar\n-u\nalice,@g\n-w\nv\n-m\nbe\n-M\na\n-A\nx\n-he\ny\n-now\ny\n-help"},
      {"options", "2-u\nalice\n-p\n5\n-l\nh_rt=5\n-soft\n-q\nall.q\n1,2\n3.4"},
      {"options", "3#$\0#!/bin/sh\n#$ -N 'a b' -v \"A=1\"\n#$ -cwd\\\n\n#$\n"s},
      {"site_lines", "HELLO ID=1;ECHO=1;X_A=a\\;b"},
      {"site_lines", "QUERY ann 3600S NODES=4,SLOTS=2"},
      {"site_lines", "RESQUERY ann 2H:CPU @EARLIEST=1700003600,DAYS=mon-fri+sun,HOURS=22-6 R:1,R2 "
                     "SLOTS=4,lic=1"},
      {"site_lines", "RESQUERY USER=ann;TIMENEEDED=1D:WALL;NODES=2;MAXRANGES=3;MINLEN=60;GRAIN=5;"
                     "EXCLUSIVE=1;OS=lx-amd64"},
      {"site_lines",
       "SETRES USER=ann;TIMENEEDED=2H;STARTTIME=NOW;NODES=2;SLOTS=4;HOLD=120;TXID=t;"
       "MEM=2G;SWAP=1G;DISK=5G;HOSTS=n1,n2;QUEUE=a.q;L=lic\\:2;RES=a=1;RES=b=2;PE=mpi;"
       "PROJECT=p;ACCOUNT=a;NAME=n;ACL=bob,@t;ARCH=lx*"},
      {"site_lines", "MODIFY RESID=R7;STARTTIME=1700003600;HOLD=5\n"},
      {"site_files", "0JobSortKey: QueuePriority, ByQueue, JobPriority\nNodeSortKey: NodeName\n"},
      {"site_files", "0# x\njobsortkey : OwnersName,OwnersGroup, OwnersHost # y\nOwnersOrder: a,b\n"
                     "GroupsOrder: g\nHostsOrder: .apgrid.org, n1\n"},
      {"site_files", "0JobSortKey: QueueRoundRobin, SubmitTime, LeastCPURequested, "
                     "MostNodeRequested\r\nNodeSortKey:"
                     " LowestLoadAverage, LongestIdleTime, LargestPhysicalPhisicalMemory"},
      {"site_files", "0JobSortKey: LeastNodeRequested, MostCPURequested, LeastTimeRequested, "
                     "MostTimeRequested\nJobSortKey: x"},
      {"site_files", "1[ PLUS_NODE_RESERVABLE = true ]"},
      {"values", "01:2:3"},
      {"values", "0-12.5"},
      {"values", "0R12"},
      {"values", "0202612312359.30"},
      {"values", "0yes"},
      {"values", "11:0:0"},
      {"values", "1INFINITY"},
      {"values", "11.5G"},
      {"values", "1100k"},
      {"values", "22-4,8,10-"},
      {"values", "21-10:3"},
      {"values", "3lx*&!lx-x86|(a?[b-c])\nlx-amd64"},
      {"values", "3*@@group\nall.q"},
      {"values", "4a name\x1b[2J\xff"},
      {"values", "4alice@example.org"},
      {"values", "4BASH_FUNC_x%%"},
      {"values", "5a=1,b=2,c"},
      {"values", "5'a b' \"c\\\"d\" e\\ f"},
      {"values", "6np_load_avg*2-$mem+3"},
      {"values", "6root@/site/prolog $job_id $host 'a b'"},
      {"values", "7exit_status 1\nfailed 0\nreason none\n"},
      {"values",
       "7all.q:h1:users:alice:job:1:sge:0:1700000000:1700000001:1700000002:0:0:1:0:0:0.0:0:0:0:0:0:"
       "0:0:0.0:0:0:0:0:0:NONE:defaultdepartment:NONE:1:0:0.0:0.0:0.0:-U u:0.0:NONE:0.0:0:0"},
      {"configuration",
       "\0\x0b"
       "calendar_name c\nyear 1.1.2026-6.1.2026=off 24.12.2026\n"
       "week mon-fri=8-18=off sat,sun=suspended\n\0\1\0qname all.q\ncalendar c\n"s},
      {"configuration",
       "\0\x02group_name @g\nhostlist h1 h2 @allhosts\n\0\1\0qname all.q\nhostlist @g\n"
       "slots 1,[h1=2],[@g=3]\nload_thresholds np_load_avg=1.75\n"s},
      {"configuration",
       "\0\x0cname p\noticket 1\nfshare 2\nacl NONE\nxacl NONE\n\0\1\5name arusers\n"
       "type ACL DEPT\nentries alice @users\n"s},
      {"classad", "Bad={\"x1\",\"x2\"}; PLUS_NODE_RESERVABLE = PLUS_CANDIDATE_NODE.nRunJobs==0 && "
                  "PLUS_CANDIDATE_NODE.isAlive && PLUS_CANDIDATE_NODE.loadavg<=0.3 && "
                  "!member(PLUS_CANDIDATE_NODE.name,Bad)"},
      {"classad",
       "a = plus_rsvutil(PLUS_RSV_OWNER, absTime() - relTime(\"7d\"), absTime()); x = a[0] "
       "<= 100 || b; b = [c = 1; d = c].d isnt undefined"},
      {"classad",
       "x = linear(5,0,0,10,100) > quadratic(5,0,0,10,100) ? size({1,0x1F,1e3}) : -7/2 % 3 "
       "<< 2 ^ ~1 & 3 | 1"},
      {"classad",
       "/* c */ a = strcat(\"a\\n\", substr(toUpper(\"abc\"), -2, 1)); // c\nb = "
       "regexp(\"^(a|b)*[c-d]{2,3}$\", a, \"i\"); x = max({1, 2.5}) == avg({1, 2}) is error"},
      {"classad", "[a = b; b = a; x = ifThenElse(isError(a), round(2.5), "
                  "int(absTime(\"2023-11-14T22:13:20+01:00\") - absTime(0, 60)));]"},
      {"channel", "\0\5\1\4\4\4\3\5"s},
      {"channel", "\x0c\xff\x0d\xff\4\4\5\5\2\3\6\1\x0a"s},
      {"settings", "cell = \"c\"\nhost = \"h1\"\nmaster = \"m:1\"\naddress = \"127.0.0.1\"\nspool "
                   "= \"/s\"\nport = 7\nmin_uid = 100\n"},
      {"settings", "cell = \"c\"\naddress = \"127.0.0.1\"\nport = 1\ntcp_door = true\ntcp_port = "
                   "2\nmunge_socket = \"/m\"\ninputs_kept = 3\n"},
  };
}

} // namespace almanac
