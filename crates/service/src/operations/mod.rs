//! What Rondo does, one file for each operation.

pub mod account;
pub mod apps;
pub mod audit;
pub mod batches;
pub mod brand;
pub mod chosen;
pub mod destinations;
pub mod imports;
pub mod keys;
pub mod operator;
pub mod people;
pub mod previews;
pub mod profile;
pub mod projects;
pub mod registry;
pub mod renders;
pub mod speech;
pub mod stock;
pub mod templates;
pub mod uploads;
pub mod variables;
pub mod webhooks;

mod codecs;
mod done;
mod film_request;

pub use done::Done;
pub use film_request::FilmRequest;
