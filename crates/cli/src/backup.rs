//! `rondo backup` and `rondo restore`.

use std::path::Path;

use rondo_service::backup as service;
use serde_json::json;

use crate::{Outcome, admin, args, pretty, print};

pub fn backup(args: &args::Backup) -> Outcome {
    let settings = admin::settings(&args.location)?;
    let work = async {
        service::backup(&settings, &args.folder, !args.without_key).await.map_err(|e| e.to_string())
    };
    report(&args.folder, admin::block_on(work)?)
}

pub fn restore(args: &args::Restore) -> Outcome {
    let settings = admin::settings(&args.location)?;
    let work = async { service::restore(&settings, &args.folder).await.map_err(|e| e.to_string()) };
    report(&settings.data, admin::block_on(work)?)
}

fn report(folder: &Path, summary: service::Summary) -> Outcome {
    let mut answer = json!(summary);
    answer["folder"] = json!(folder);
    print(&pretty(&answer))
}
