//! Names this process so that another one can tell whether it still runs, and take over what a killed one held.
//!
//! Only a process of the same machine start and process namespace can be judged; of any other one nothing is known,
//! and its leases run out by time.

use std::fs;

/// `boot.namespace.pid.start`, or a random text where `/proc` does not tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    token: String,
}

impl Process {
    pub fn current() -> Self {
        let token = match (place(), start_of(std::process::id())) {
            (Some(place), Some(start)) => format!("{place}.{}.{start}", std::process::id()),
            _ => crate::id::secret(24),
        };
        Self { token }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether the process named `token` is known to have ended.
    pub fn is_gone(&self, token: &str) -> bool {
        if token == self.token {
            return false;
        }
        let Some(place) = place() else { return false };
        let Some(rest) = token.strip_prefix(&place).and_then(|rest| rest.strip_prefix('.')) else {
            return false;
        };
        let Some((pid, start)) = rest.split_once('.') else { return false };
        let Ok(pid) = pid.parse() else { return false };
        start_of(pid).is_none_or(|running| running != start)
    }
}

/// This start of the machine and this process namespace.
fn place() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    let digits: String = namespace.to_str()?.chars().filter(char::is_ascii_digit).collect();
    Some(format!("{}.{digits}", boot.trim()))
}

/// When the process started, in ticks; nothing where it has ended.
fn start_of(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything: the fields are counted from behind it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let (state, start) = (fields.first()?, fields.get(19)?);
    (!matches!(*state, "Z" | "X")).then(|| (*start).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_killed_process_of_this_machine_is_known_to_be_gone() {
        let this = Process::current();
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let token = format!("{}.{}.{}", place().unwrap(), child.id(), start_of(child.id()).unwrap());
        assert!(!this.is_gone(&token));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(this.is_gone(&token));
        assert!(!this.is_gone(this.token()));
        assert!(!this.is_gone("another-machine.1.1.1"));
    }
}
