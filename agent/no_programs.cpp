#include "agent/no_programs.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace almanac {

#if defined(__x86_64__) || defined(__aarch64__)

namespace {

#if defined(__x86_64__)
constexpr unsigned machine = AUDIT_ARCH_X86_64;
constexpr unsigned other_numbers = 0x40000000; // the same calls once more, for x32
#else
constexpr unsigned machine = AUDIT_ARCH_AARCH64;
constexpr unsigned other_numbers = 0x80000000;
#endif

constexpr unsigned forbidden[]{SYS_execve, SYS_execveat,          SYS_ptrace,
                               SYS_bpf,    SYS_process_vm_writev, SYS_process_vm_readv};

sock_filter line(unsigned code, unsigned value, unsigned if_true = 0, unsigned if_false = 0) {
  return {static_cast<__u16>(code), static_cast<__u8>(if_true), static_cast<__u8>(if_false), value};
}

} // namespace

Outcome forbid_programs() {
  constexpr unsigned count = sizeof forbidden / sizeof *forbidden;
  constexpr unsigned load = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K;
  sock_filter lines[count + 6];
  unsigned at = 0;
  // Each that is forbidden jumps to the last line.
  lines[at++] = line(load, offsetof(seccomp_data, arch));
  lines[at++] = line(equal, machine, 0, count + 3);
  lines[at++] = line(load, offsetof(seccomp_data, nr));
  lines[at++] = line(BPF_JMP | BPF_JGE | BPF_K, other_numbers, count + 1);
  for (unsigned i = 0; i < count; ++i) lines[at++] = line(equal, forbidden[i], count - i);
  lines[at++] = line(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  lines[at++] = line(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  const sock_fprog program{static_cast<unsigned short>(at), lines};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return Error{std::string("can't give up starting programs: ") + std::strerror(errno)};
  return Done{};
}

#else

Outcome forbid_programs() { return Done{}; }

#endif

} // namespace almanac
