//! The fork server of services that run inside a test.

use rondo_render::HugePages;

#[global_allocator]
static MEMORY: HugePages = HugePages;

fn main() -> Result<(), String> {
    rondo_jobs::run_fork_server()
}
