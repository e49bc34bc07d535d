//! A real service on a loopback port, for the targets that send request bodies. No worker runs, so accepted requests are
//! not rendered.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Mutex, OnceLock};

use rondo_service::settings::{Settings, Sources};
use rondo_server::{Running, start};
use rondo_service::{FORK_SERVER, open_store};
use rondo_store::{Credits, NewAccount, Plan, Store};
use serde_json::Value;
use tokio::runtime::Runtime;

/// Requests per account; more would reach the rate limit.
const REQUESTS_PER_ACCOUNT: u32 = 250;

struct Service {
    runtime: Runtime,
    store: Store,
    address: SocketAddr,
    _running: Running,
    _folder: tempfile::TempDir,
}

struct Account {
    id: String,
    key: String,
    host: SocketAddr,
    requests: u32,
    connection: BufReader<TcpStream>,
}

/// What requests are sent to.
const PATHS: [&str; 8] = [
    "renders", "renders/batch", "previews", "uploads", "webhooks", "destinations", "ai/voiceover", "ai/captions",
];

/// Sends a request and checks the response: it must not be an internal error, and a rejected request must not hold credits. The
/// bytes contain one of [`PATHS`], a line break and the body.
pub fn post(bytes: &[u8]) {
    let mut lines = bytes.splitn(2, |byte| *byte == b'\n');
    let (Some(path), Some(body)) = (lines.next(), lines.next()) else { return };
    let Some(path) = PATHS.iter().find(|known| known.as_bytes() == path) else { return };
    let sent = send(&format!("/api/v1/{path}"), body);
    let answer: Value = serde_json::from_str(&sent.answer).expect("the response is JSON");
    assert_eq!(answer["success"], matches!(sent.status, 200 | 202), "{}: {answer}", sent.status);
    if answer["success"] == false {
        assert!(answer["error"].as_str().is_some_and(|message| !message.is_empty()), "{answer}");
        assert!(answer["details"]["reason"].is_string(), "{answer}");
        assert_eq!(sent.cost, Credits::default(), "a rejected request costs nothing: {answer}");
    }
}

/// Calls one tool of the MCP server. The bytes contain its name, a line break and its arguments.
pub fn call_tool(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((name, arguments)) = text.split_once('\n') else { return };
    let Ok(arguments) = serde_json::from_str::<Value>(arguments) else { return };
    let call = serde_json::json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments},
    });
    let sent = send("/api/mcp", call.to_string().as_bytes());
    let answer: Value = serde_json::from_str(&sent.answer).expect("the response is JSON");
    assert_ne!(answer["error"]["code"], -32603, "an internal error: {answer}");
}

struct Sent {
    status: u16,
    answer: String,
    cost: Credits,
}

fn send(path: &str, body: &[u8]) -> Sent {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    static ACCOUNT: Mutex<Option<Account>> = Mutex::new(None);
    let service = SERVICE.get_or_init(Service::start);
    let mut account = ACCOUNT.lock().expect("one thread");
    if account.as_ref().is_none_or(|account| account.requests >= REQUESTS_PER_ACCOUNT) {
        *account = Some(service.account());
    }
    let account = account.as_mut().expect("just made");
    let before = service.balance(account);
    let (status, answer) = account.send(path, body);
    assert!(status < 500, "{status}: {answer}");
    Sent { status, answer, cost: before - service.balance(account) }
}

impl Service {
    fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("threads can be made");
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let data = folder.path().to_string_lossy().into_owned();
        let settings = Settings::read(&Sources {
            flag: &|name| match name {
                "data" => Some(data.clone()),
                "listen" => Some("127.0.0.1:0".to_owned()),
                "role" => Some("api".to_owned()),
                _ => None,
            },
            variable: &|_| None,
            file: toml::Table::new(),
        });
        let mut settings = settings.expect("the settings are valid");
        // Its children are those of the real program: a fuzz target cannot start itself as one.
        let program = std::env::var_os("RONDO_PROGRAM").expect("RONDO_PROGRAM names the program");
        settings.fork_server = Some((program.into(), vec![FORK_SERVER.to_owned()]));
        let (store, running) = runtime.block_on(async {
            let store = open_store(&settings).await.expect("the store opens");
            (store, start(settings).await.expect("the service starts"))
        });
        let address = running.address.expect("it listens");
        Self { runtime, store, address, _running: running, _folder: folder }
    }

    fn account(&self) -> Account {
        let email = format!("{}@example.com", rondo_store::id::secret(12));
        let new = NewAccount {
            email: &email,
            name: "Ada",
            plan: Plan::Business,
            credits: Credits::from_whole(1_000_000),
            password_hash: None,
            is_operator: false,
        };
        let (id, key) = self.runtime.block_on(async {
            let account = self.store.create_account(new).await.expect("the account is made");
            let key = self.store.create_key(&account.id, None).await.expect("the key is made");
            (account.id, key.secret)
        });
        let connection = TcpStream::connect(self.address).expect("the service listens");
        Account { id, key, host: self.address, requests: 0, connection: BufReader::new(connection) }
    }

    fn balance(&self, account: &Account) -> Credits {
        let account = self.runtime.block_on(self.store.account(&account.id));
        account.expect("the store answers").expect("the account exists").credits
    }
}

impl Account {
    fn send(&mut self, path: &str, body: &[u8]) -> (u16, String) {
        self.requests += 1;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n",
            self.host,
            self.key,
            body.len()
        );
        // In one write: two would be delayed by Nagle's algorithm.
        let request = [head.as_bytes(), body].concat();
        self.connection.get_mut().write_all(&request).expect("the service reads");
        let mut status = 0;
        let mut length = None;
        for number in 0.. {
            let mut line = String::new();
            self.connection.read_line(&mut line).expect("the service responds");
            let line = line.trim_end().to_ascii_lowercase();
            if number == 0 {
                status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status line");
            } else if let Some(value) = line.strip_prefix("content-length:") {
                length = Some(value.trim().parse().expect("a length"));
            } else if line.is_empty() {
                break;
            }
        }
        let mut answer = Vec::new();
        match length {
            Some(length) => self.read_more(length, &mut answer),
            None => while self.read_chunk(&mut answer) {},
        }
        (status, String::from_utf8(answer).expect("the response is UTF-8"))
    }

    fn read_more(&mut self, length: usize, answer: &mut Vec<u8>) {
        let before = answer.len();
        answer.resize(before + length, 0);
        self.connection.read_exact(&mut answer[before..]).expect("the whole response arrives");
    }

    /// Reads one chunk of a chunked response; false at the end.
    fn read_chunk(&mut self, answer: &mut Vec<u8>) -> bool {
        let mut line = String::new();
        self.connection.read_line(&mut line).expect("the response continues");
        let length = usize::from_str_radix(line.trim_end(), 16).expect("a length");
        self.read_more(length, answer);
        self.connection.read_line(&mut line).expect("the chunk ends");
        length > 0
    }
}
