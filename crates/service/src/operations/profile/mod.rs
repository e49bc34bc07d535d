//! What people change about themselves: name, password, sessions.

mod change_password;
mod end_session;
mod list_sessions;
mod update_profile;

pub use change_password::ChangePassword;
pub use end_session::EndSession;
pub use list_sessions::ListSessions;
pub use update_profile::UpdateProfile;
