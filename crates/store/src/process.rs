//! An identity for this process, with which other processes can check whether it still runs and take over its leases.
//!
//! Only processes of the same boot and PID namespace can be checked. The leases of all others expire by time.

use std::fs;

/// `boot.namespace.pid.start`, or a random token if `/proc` is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    token: String,
    /// The boot id and the PID namespace, the beginning of the tokens of processes that can be checked.
    host: Option<String>,
}

impl Process {
    pub fn current() -> Self {
        let host = boot_and_namespace();
        let token = match (&host, start_of(std::process::id())) {
            (Some(host), Some(start)) => format!("{host}.{}.{start}", std::process::id()),
            _ => crate::id::secret(24),
        };
        Self { token, host }
    }

    /// The name of this machine.
    pub fn host() -> Option<String> {
        let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether the process named `token` is known to have ended.
    pub fn is_gone(&self, token: &str) -> bool {
        if token == self.token {
            return false;
        }
        let Some(host) = self.host.as_deref() else { return false };
        let Some(rest) = token.strip_prefix(host).and_then(|rest| rest.strip_prefix('.')) else {
            return false;
        };
        let Some((pid, start)) = rest.split_once('.') else { return false };
        let Ok(pid) = pid.parse() else { return false };
        start_of(pid).is_none_or(|running| running != start)
    }
}

/// The boot id and the PID namespace.
fn boot_and_namespace() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    let digits: String = namespace.to_str()?.chars().filter(char::is_ascii_digit).collect();
    Some(format!("{}.{digits}", boot.trim()))
}

/// When the process started, in clock ticks; `None` if it has ended.
fn start_of(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The command name in parentheses may contain anything, so fields are counted after its end.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let (state, start) = (fields.first()?, fields.get(19)?);
    (!matches!(*state, "Z" | "X")).then(|| (*start).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_killed_process_on_this_host_is_detected() {
        let this = Process::current();
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let token =
            format!("{}.{}.{}", boot_and_namespace().unwrap(), child.id(), start_of(child.id()).unwrap());
        assert!(!this.is_gone(&token));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(this.is_gone(&token));
        assert!(!this.is_gone(this.token()));
        assert!(!this.is_gone("another-machine.1.1.1"));
    }
}
