//! What operators do: accounts, invitations, the queue and the processes. Every operation requires an operator.

mod create_invite;
mod delete_invite;
mod get_queue;
mod list_accounts;
mod list_invites;
mod list_workers;
mod update_account;

pub use create_invite::CreateInvite;
pub use delete_invite::DeleteInvite;
pub use get_queue::GetQueue;
pub use list_accounts::ListAccounts;
pub use list_invites::ListInvites;
pub use list_workers::ListWorkers;
pub use update_account::UpdateAccount;
