//! One film, many workers: each with a folder of its own, on one database server and one bucket.

use std::path::Path;

use rondo_server::{Running, start as start_service};
use rondo_store::Plan;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bucket_server::BucketServer;
use crate::harness::{Account, Service, busy, database, film, overlay};
use crate::processes::settings;

/// An API without workers, and what further processes need.
struct Cluster {
    api: Service,
    bucket: BucketServer,
    url: String,
}

impl Cluster {
    async fn start() -> Option<Self> {
        let url = database().await?;
        let bucket = BucketServer::start().await;
        let given = bucket.flags();
        let mut flags: Vec<(&str, &str)> =
            given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        flags.extend([("database-url", url.as_str()), ("role", "api")]);
        let api = Service::start(&flags).await;
        Some(Self { api, bucket, url })
    }

    /// A process with a folder of its own that renders one film at a time.
    async fn worker(&self) -> (Running, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(self.api.folder.path().join("master.key"), folder.path().join("master.key")).unwrap();
        let given = self.bucket.flags();
        let mut flags: Vec<(&str, &str)> =
            given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        flags.extend([("database-url", self.url.as_str()), ("role", "worker"), ("workers", "1")]);
        (start_service(settings(folder.path(), &flags)).await.unwrap(), folder)
    }

    async fn film(&self, account: &Account, job: &str) -> Vec<u8> {
        let done = self.api.ended(account, job).await;
        assert_eq!(done["status"], "COMPLETED", "{done}");
        std::fs::read(self.api.download(done["outputUrl"].as_str().unwrap(), "film.mp4").await).unwrap()
    }
}

/// Chunks in the folder of a process.
fn chunks(folder: &Path) -> usize {
    let shelves = std::fs::read_dir(folder.join("chunks")).into_iter().flatten().flatten();
    shelves.flat_map(|shelf| std::fs::read_dir(shelf.path()).into_iter().flatten().flatten()).count()
}

/// Something moves all the time, and a tone is heard.
fn moving(frames: u32) -> Value {
    let mut film = film(
        frames,
        &json!([overlay(
            1,
            &json!({"type": "effect", "content": "confetti", "durationInFrames": frames,
            "width": 320, "height": 180, "styles": {"particleCount": 200}})
        )]),
    );
    (film["width"], film["height"]) = (json!(320), json!(180));
    film
}

/// The film of a process that shares nothing.
async fn alone(composition: &Value) -> Vec<u8> {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 100).await;
    let job = service.render(&ada, &json!({"inputProps": composition})).await;
    let done = service.ended(&ada, &job).await;
    std::fs::read(service.download(done["outputUrl"].as_str().unwrap(), "film.mp4").await).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_share_a_film_and_it_has_the_bytes_of_one_machine() {
    let Some(cluster) = Cluster::start().await else { return };
    let composition = moving(600);
    let ada = cluster.api.account(Plan::None, 100).await;
    let workers = [cluster.worker().await, cluster.worker().await, cluster.worker().await];
    let job = cluster.api.render(&ada, &json!({"inputProps": composition})).await;
    let made = cluster.film(&ada, &job).await;
    let by_each: Vec<usize> = workers.iter().map(|(_, folder)| chunks(folder.path())).collect();
    assert!(by_each.iter().all(|chunks| *chunks > 0), "{by_each:?}");
    assert!(made == alone(&composition).await, "the film differs");

    // A process that has nothing finds all of it.
    for (worker, _) in workers {
        worker.stop().await;
    }
    let kept = std::fs::read_dir(cluster.bucket.place("chunks")).unwrap().count();
    assert!(kept >= 4, "{kept} chunks");
    let (worker, _folder) = cluster.worker().await;
    let again = cluster.api.render(&ada, &json!({"inputProps": composition})).await;
    assert!(cluster.film(&ada, &again).await == made, "the second film differs");
    assert_eq!(std::fs::read_dir(cluster.bucket.place("chunks")).unwrap().count(), kept);
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_is_made_when_its_lead_stops_and_when_its_helpers_do() {
    let Some(cluster) = Cluster::start().await else { return };
    let composition = moving(450);
    let ada = cluster.api.account(Plan::None, 100).await;
    let (lead, _first) = cluster.worker().await;
    let job = cluster.api.render(&ada, &json!({"inputProps": composition})).await;
    cluster.api.under_way(&job).await;
    let (helper, _second) = cluster.worker().await;
    lead.stop().await;
    let (late, _third) = cluster.worker().await;
    helper.stop().await;
    assert!(cluster.film(&ada, &job).await == alone(&composition).await, "the film differs");
    late.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chunk_that_is_gone_from_the_bucket_is_rendered_again() {
    let Some(cluster) = Cluster::start().await else { return };
    let composition = moving(600);
    let ada = cluster.api.account(Plan::None, 100).await;
    let (worker, _folder) = cluster.worker().await;
    let job = cluster.api.render(&ada, &json!({"inputProps": composition})).await;
    let made = cluster.film(&ada, &job).await;
    worker.stop().await;
    let mut files =
        std::fs::read_dir(cluster.bucket.place("chunks")).unwrap().map(|file| file.unwrap().path());
    std::fs::remove_file(files.next().unwrap()).unwrap();
    std::fs::write(files.next().unwrap(), "damaged").unwrap();
    let (worker, _folder) = cluster.worker().await;
    let again = cluster.api.render(&ada, &json!({"inputProps": composition})).await;
    assert!(cluster.film(&ada, &again).await == made, "the film differs");
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn helpers_of_a_cancelled_film_stop_and_take_the_next() {
    let Some(cluster) = Cluster::start().await else { return };
    let ada = cluster.api.account(Plan::None, 1000).await;
    let (one, _first) = cluster.worker().await;
    let (two, _second) = cluster.worker().await;
    let long = cluster.api.render(&ada, &json!({"inputProps": busy(9000)})).await;
    cluster.api.under_way(&long).await;
    cluster.api.post(&ada, &format!("/renders/{long}/cancel"), &json!({})).await.data();
    let job = cluster.api.render(&ada, &json!({"inputProps": moving(30)})).await;
    cluster.film(&ada, &job).await;
    one.stop().await;
    two.stop().await;
}
