//! An S3 server on a loopback port, for measuring. Prints the settings of a service that uses it, and ends with its input.
//!
//!     cargo run --workspace --example bucket -- FOLDER [PORT]

#![allow(clippy::unwrap_used, reason = "a tool for measuring")]

#[path = "../tests/films/bucket_server.rs"]
#[allow(dead_code, reason = "shared with tests, which use the rest")]
mod bucket_server;

use std::io::Read;
use std::path::PathBuf;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder"));
    let port: u16 = arguments.next().map_or(0, |port| port.parse().unwrap());
    std::fs::create_dir_all(folder.join(bucket_server::BUCKET)).unwrap();
    let (address, _) = bucket_server::serve(folder, ([127, 0, 0, 1], port).into()).await;
    for (name, value) in bucket_server::flags(address, "rondo") {
        println!("{}={value}", if name == "files" { "RONDO_FILES" } else { name });
    }
    println!();
    let closed = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
    closed.await.unwrap().unwrap();
}
