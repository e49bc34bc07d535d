//! The layers of isolation, each applied if the kernel grants it.

use std::ffi::CStr;
use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::fs::{Gid, Uid};
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, set_capabilities, set_no_new_privs, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid, unshare_unsafe,
};
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::seccomp::Filters;

/// How strict the sandbox is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Every layer; without one of them nothing runs.
    Required,
    /// Every layer that the kernel grants.
    #[default]
    Auto,
    /// Resource limits only.
    Off,
}

impl std::str::FromStr for Mode {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "required" => Ok(Self::Required),
            "auto" => Ok(Self::Auto),
            "off" => Ok(Self::Off),
            _ => Err(()),
        }
    }
}

/// One layer of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// A network namespace without interfaces.
    NetworkNamespace,
    /// Landlock: files by rule.
    Files,
    /// seccomp: system calls by rule.
    SystemCalls,
    /// A user of its own, if the service runs as root; no capabilities otherwise.
    User,
    /// No program can give it privileges.
    NoNewPrivileges,
    /// Memory, processor time, file size, open files.
    Limits,
}

impl Layer {
    pub const ALL: [Self; 6] = [
        Self::NetworkNamespace,
        Self::Files,
        Self::SystemCalls,
        Self::User,
        Self::NoNewPrivileges,
        Self::Limits,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::NetworkNamespace => "network-namespace",
            Self::Files => "files",
            Self::SystemCalls => "system-calls",
            Self::User => "user",
            Self::NoNewPrivileges => "no-new-privileges",
            Self::Limits => "limits",
        }
    }
}

/// Whether a layer is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerReport {
    pub layer: Layer,
    /// Why not.
    pub missing: Option<String>,
}

/// What a child may do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Policy {
    pub mode: Mode,
    /// Files and folders it may read.
    pub read_only: Vec<PathBuf>,
    /// Programs it may run, with its own restrictions. Usually none.
    pub programs: Vec<PathBuf>,
    /// Keep the user of the parent, because another one cannot read the fonts.
    pub keep_user: bool,
    pub limits: Limits,
}

/// First user id for children and how many there are: the range that systemd reserves for users made on demand, so no
/// account has them.
const FIRST_USER: u32 = 61184;
const USERS: u32 = 4336;

/// Puts this process and those it starts into a network namespace without interfaces. It must have one thread.
pub fn leave_network() -> LayerReport {
    let layer = Layer::NetworkNamespace;
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    // SAFETY: the process has one thread, and no descriptor or memory is unshared.
    let as_root = unsafe { unshare_unsafe(UnshareFlags::NEWNET) };
    let entered = as_root.map_err(io::Error::from).or_else(|_| {
        // SAFETY: as above.
        unsafe { unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNET) }?;
        // Files keep the owner they have outside.
        std::fs::write("/proc/self/setgroups", "deny")?;
        std::fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))?;
        std::fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))
    });
    LayerReport { layer, missing: entered.err().map(|error| error.to_string()) }
}

/// Restricts this process, which must have one thread. `scratch` becomes its working folder, the only one it can write to.
/// Returns what each layer says; in mode [`Mode::Required`] a missing layer is an error.
pub fn restrict(
    policy: &Policy,
    scratch: Option<impl AsFd>,
    filters: &Filters,
) -> Result<Vec<LayerReport>, String> {
    let mut reports = Vec::new();
    let mut report = |layer, done: Result<(), String>| {
        reports.push(LayerReport { layer, missing: done.clone().err() });
        match done {
            Err(reason) if policy.mode == Mode::Required => {
                Err(format!("the layer {} is missing: {reason}", layer.name()))
            }
            _ => Ok(()),
        }
    };
    let root = rustix::process::geteuid().is_root();
    let own_user = root && !policy.keep_user && policy.mode != Mode::Off;
    let id = FIRST_USER + std::process::id() % USERS;
    if let Some(scratch) = &scratch {
        if own_user {
            let (user, group) = (Uid::from_raw(id), Gid::from_raw(id));
            rustix::fs::fchown(scratch, Some(user), Some(group)).map_err(|error| error.to_string())?;
        }
        rustix::process::fchdir(scratch).map_err(|error| error.to_string())?;
    }
    if policy.mode == Mode::Off {
        report(Layer::Limits, policy.limits.apply(false).map_err(|error| error.to_string()))?;
        return Ok(reports);
    }
    report(Layer::NoNewPrivileges, set_no_new_privs(true).map_err(|error| error.to_string()))?;
    report(Layer::Files, restrict_files(policy, scratch.is_some()))?;
    let is_counted_alone = own_user || (!root && enter_own_namespace());
    report(Layer::Limits, policy.limits.apply(is_counted_alone).map_err(|error| error.to_string()))?;
    let user = match (root, policy.keep_user) {
        (true, false) => change_user(id).map_err(|error| error.to_string()),
        (true, true) => Err("other users cannot read the fonts folder".to_owned()),
        (false, _) => drop_capabilities().map_err(|error| error.to_string()),
    };
    report(Layer::User, user)?;
    // After the change of user, which resets both.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| error.to_string())?;
    report(Layer::SystemCalls, filters.apply(!policy.programs.is_empty()))?;
    Ok(reports)
}

/// Enters a user namespace of this process alone, where the kernel counts its threads apart from others of the same user. False where
/// it cannot or counts all threads of a user together: then a limit would count those of the service.
pub(crate) fn enter_own_namespace() -> bool {
    // SAFETY: the process has one thread, and no descriptor or memory is unshared.
    counts_by_namespace() && unsafe { unshare_unsafe(UnshareFlags::NEWUSER) }.is_ok()
}

/// Whether the kernel is 5.14 or later.
fn counts_by_namespace() -> bool {
    // SAFETY: names of zeros are valid, and the call fills them with texts that end in zeros.
    let release = unsafe {
        let mut name: libc::utsname = std::mem::zeroed();
        libc::uname(&raw mut name);
        CStr::from_ptr(name.release.as_ptr()).to_string_lossy().into_owned()
    };
    let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(5), Some(14))
}

fn change_user(id: u32) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(id), Gid::from_raw(id));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)?;
    Ok(())
}

/// In a user namespace a process has every capability over it.
fn drop_capabilities() -> io::Result<()> {
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(())
}

/// What loads the libraries of programs. It also runs what a program may read, with the same restrictions.
pub(crate) const LOADERS: [&str; 2] = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];

/// Everything that can be restricted is, except reading some files, running some programs, and files in the working folder.
fn restrict_files(policy: &Policy, has_scratch: bool) -> Result<(), String> {
    // Later kernels know more; what this one does not know is left out.
    const KNOWN: ABI = ABI::V6;
    let fails = |error: &dyn std::fmt::Display| error.to_string();
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let write: BitFlags<AccessFs> = AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir;
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(KNOWN)))
        .and_then(|rules| rules.scope(Scope::from_all(KNOWN)))
        .and_then(Ruleset::create)
        .map_err(|error| fails(&error))?;
    let loaders = LOADERS.map(PathBuf::from);
    let loaders = loaders.iter().filter(|_| !policy.programs.is_empty());
    for path in policy.programs.iter().chain(loaders) {
        let Ok(opened) = PathFd::new(path) else { continue };
        let run = AccessFs::ReadFile | AccessFs::Execute;
        rules = rules.add_rule(PathBeneath::new(opened, run)).map_err(|error| fails(&error))?;
    }
    for path in &policy.read_only {
        // What is not there cannot be read either.
        let Ok(opened) = PathFd::new(path) else { continue };
        let allowed = if path.is_dir() { read } else { AccessFs::ReadFile.into() };
        rules = rules.add_rule(PathBeneath::new(opened, allowed)).map_err(|error| fails(&error))?;
    }
    if has_scratch {
        let folder = PathFd::new(".").map_err(|error| fails(&error))?;
        rules = rules.add_rule(PathBeneath::new(folder, read | write)).map_err(|error| fails(&error))?;
    }
    let status = rules.restrict_self().map_err(|error| fails(&error))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel has no Landlock".to_owned()),
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}
