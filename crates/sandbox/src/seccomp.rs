//! System calls a child may make. Everything else is refused with EPERM.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// Calls that are allowed whatever their arguments: computing, threads, memory, and files that are open or that the file
/// layer allows to open. No socket can be made, no program run, no process but the child itself be reached.
const ALLOWED: &[libc::c_long] = &[
    // Open files.
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_copy_file_range,
    libc::SYS_sendfile,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_pipe2,
    libc::SYS_eventfd2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    // The connection to the parent.
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_shutdown,
    // Paths; the file layer decides which.
    libc::SYS_openat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    // Memory.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_membarrier,
    // Threads.
    libc::SYS_futex,
    libc::SYS_clone3,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_get_priority_max,
    libc::SYS_getcpu,
    libc::SYS_getpriority,
    libc::SYS_tgkill,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    // Signals.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    // Time and facts.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
];

/// What a child may do with descriptors. Other commands have signals sent to other processes.
const DESCRIPTOR_COMMANDS: &[libc::c_int] = &[
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
];

/// Older forms of the same calls, which only this architecture has.
#[cfg(target_arch = "x86_64")]
const ALLOWED_HERE: &[libc::c_long] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_dup2,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_wait,
    libc::SYS_time,
    libc::SYS_arch_prctl,
    libc::SYS_getrlimit,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[libc::c_long] = &[];

/// What a child may do besides, if it may run programs: the filters apply to those too.
const RUNNING: &[libc::c_long] = &[libc::SYS_execve, libc::SYS_wait4, libc::SYS_waitid];

/// Flags of clone that make namespaces.
const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// Flags of mmap by which memory escapes the limit of private memory: the kernel counts neither shared memory nor what grows
/// like a stack. Files may be mapped shared: their memory is that of the file.
const MAPPED_FILE: u64 = (libc::MAP_ANONYMOUS | libc::MAP_GROWSDOWN) as u64;
const MAPPED_MEMORY: u64 = MAPPED_FILE | libc::MAP_TYPE as u64;

/// The bits of a socket's type that are no flags.
const SOCKET_TYPES: u64 = 0xf;

/// The compiled filters of a process.
pub struct Filters {
    allowed: BpfProgram,
    /// The same with programs.
    running: BpfProgram,
    clone3: BpfProgram,
}

impl Filters {
    pub fn compile() -> Result<Self, BackendError> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            ALLOWED.iter().chain(ALLOWED_HERE).map(|call| (*call, Vec::new())).collect();
        let thread = libc::CLONE_THREAD as u64;
        rules.insert(libc::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(thread), thread)?]);
        rules.insert(libc::SYS_prctl, vec![rule(0, SeccompCmpOp::Eq, libc::PR_SET_NAME as u64)?]);
        let private = (libc::MAP_ANONYMOUS | libc::MAP_PRIVATE) as u64;
        let memory = rule(3, SeccompCmpOp::MaskedEq(MAPPED_MEMORY), private)?;
        rules.insert(libc::SYS_mmap, vec![rule(3, SeccompCmpOp::MaskedEq(MAPPED_FILE), 0)?, memory]);
        // Limits of this process are read, not set.
        rules.insert(libc::SYS_prlimit64, vec![rule(2, SeccompCmpOp::Eq, 0)?]);
        let mut descriptors = Vec::new();
        for command in DESCRIPTOR_COMMANDS {
            descriptors.push(rule(1, SeccompCmpOp::Eq, *command as u64)?);
        }
        let no_signals = SeccompCmpOp::MaskedEq(libc::O_ASYNC as u64);
        descriptors.push(SeccompRule::new(vec![
            condition(1, SeccompCmpOp::Eq, libc::F_SETFL as u64)?,
            condition(2, no_signals, 0)?,
        ])?);
        rules.insert(libc::SYS_fcntl, descriptors);
        let allowed = program(rules.clone(), refused(), SeccompAction::Allow)?;
        rules.extend(RUNNING.iter().map(|call| (*call, Vec::new())));
        rules.insert(libc::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(NAMESPACES), 0)?]);
        // Two ends that reach each other only: by these, starting a program reports its errors.
        // Those of datagrams could send to any socket of the machine that has a path.
        let pair = SeccompRule::new(vec![
            condition(0, SeccompCmpOp::Eq, libc::AF_UNIX as u64)?,
            condition(1, SeccompCmpOp::MaskedEq(SOCKET_TYPES), libc::SOCK_SEQPACKET as u64)?,
        ])?;
        rules.insert(libc::SYS_socketpair, vec![pair]);
        // Programs end with the process that started them, and none can be told to live on.
        let death = SeccompRule::new(vec![
            condition(0, SeccompCmpOp::Eq, libc::PR_SET_PDEATHSIG as u64)?,
            condition(1, SeccompCmpOp::Eq, libc::SIGKILL as u64)?,
        ])?;
        rules.entry(libc::SYS_prctl).or_default().push(death);
        let running = program(rules, refused(), SeccompAction::Allow)?;
        // The flags of clone3 are in memory, where no filter sees them. Without it libraries use clone.
        let clone3 = [(libc::SYS_clone3, Vec::new())].into();
        let clone3 = program(clone3, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32))?;
        Ok(Self { allowed, running, clone3 })
    }

    /// Restricts this process. Signals can be sent to its own threads only.
    pub fn apply(&self, runs_programs: bool) -> Result<(), String> {
        let own = u64::from(std::process::id());
        let others = rule(0, SeccompCmpOp::Ne, own).map_err(|error| error.to_string())?;
        let signals = program([(libc::SYS_tgkill, vec![others])].into(), SeccompAction::Allow, refused());
        let signals = signals.map_err(|error| error.to_string())?;
        let calls = if runs_programs { &self.running } else { &self.allowed };
        for filter in [&signals, &self.clone3, calls] {
            seccompiler::apply_filter(filter).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

fn refused() -> SeccompAction {
    SeccompAction::Errno(libc::EPERM as u32)
}

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![condition(argument, operator, value)?])
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operator, value)
}

fn program(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, otherwise, matched, architecture)?.try_into()
}
