//! `rondo files move`.

use rondo_service::move_files::move_files;
use serde_json::json;

use crate::{Outcome, admin, args, pretty, print, print_stderr};

pub fn run(command: &args::Files) -> Outcome {
    let args::Files::Move { location, to } = command;
    if !to.starts_with("s3://") {
        return Err("--to must name a bucket, as in s3://bucket/prefix.".to_owned());
    }
    let settings = admin::settings_with(location, Some(to))?;
    let work = async {
        let told = |name: &str, bytes: u64| print_stderr(&format!("{name}: {bytes} bytes."));
        move_files(&settings, told).await.map_err(|e| e.to_string())
    };
    let summary = admin::block_on(work)?;
    if !summary.finished {
        print_stderr("The service still runs. Stop all its processes, and run this command again.");
    }
    print(&pretty(&json!(summary)))
}
