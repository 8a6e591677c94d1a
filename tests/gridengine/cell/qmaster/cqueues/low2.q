# Version: 8.1.9
# 
# DO NOT MODIFY THIS FILE MANUALLY!
# 
qname                 low2.q
hostlist              node01 node02
seq_no                0
load_thresholds       np_load_avg=1.75
suspend_thresholds    NONE
nsuspend              1
suspend_interval      00:05:00
priority              10,[node01=5]
min_cpu_interval      00:05:00
processors            UNDEFINED
qtype                 BATCH
ckpt_list             NONE
pe_list               make smp mpi
rerun                 FALSE
slots                 1
tmpdir                /tmp
shell                 /bin/sh
prolog                NONE
epilog                NONE
shell_start_mode      posix_compliant
starter_method        /x/y $queue
suspend_method        SIGTERM
resume_method         NONE
terminate_method      NONE
notify                00:00:60
owner_list            bob carol
user_lists            NONE
xuser_lists           NONE
subordinate_list      big.q=1, all.q
complex_values        license=2,[node01=license=1]
projects              NONE
xprojects             NONE
calendar              night
initial_state         disabled
s_rt                  INFINITY
h_rt                  INFINITY
s_cpu                 INFINITY
h_cpu                 INFINITY
s_fsize               INFINITY
h_fsize               INFINITY
s_data                INFINITY
h_data                INFINITY
s_stack               INFINITY
h_stack               INFINITY
s_core                INFINITY
h_core                INFINITY
s_rss                 INFINITY
h_rss                 INFINITY
s_vmem                INFINITY
h_vmem                INFINITY
