//! A real service on a loopback port, for the targets that send request bodies to it. No worker runs, so no film is
//! made of what gets through.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Mutex, OnceLock};

use rondo_server::settings::{Settings, Sources};
use rondo_server::{Running, open_store, start};
use rondo_store::{Credits, NewAccount, Plan, Store};
use serde_json::Value;
use tokio::runtime::Runtime;

/// Requests with one key; beyond it the service would count and refuse.
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
    requests: u32,
    connection: BufReader<TcpStream>,
}

/// Sends a body, and checks that the answer is one a client can work with: never a failure of the service, and no
/// credit held for what was refused.
pub fn post(path: &str, body: &[u8]) {
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
    let answer: Value = serde_json::from_str(&answer).expect("the answer is JSON");
    assert_eq!(answer["success"], status == 200 || status == 202, "{status}: {answer}");
    if answer["success"] == false {
        assert!(answer["error"].as_str().is_some_and(|sentence| !sentence.is_empty()), "{answer}");
        assert!(answer["details"]["reason"].is_string(), "{answer}");
        assert_eq!(service.balance(account), before, "a refused request costs nothing: {answer}");
    }
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
        let settings = settings.expect("the settings are valid");
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
        };
        let (id, key) = self.runtime.block_on(async {
            let account = self.store.create_account(new).await.expect("the account is made");
            let key = self.store.create_key(&account.id).await.expect("the key is made");
            (account.id, key.secret)
        });
        let connection = TcpStream::connect(self.address).expect("the service listens");
        Account { id, key, requests: 0, connection: BufReader::new(connection) }
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
            "POST {path} HTTP/1.1\r\nHost: rondo\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            self.key,
            body.len()
        );
        let stream = self.connection.get_mut();
        stream.write_all(head.as_bytes()).expect("the service reads");
        stream.write_all(body).expect("the service reads");
        let mut status = 0;
        let mut length = 0;
        for number in 0.. {
            let mut line = String::new();
            self.connection.read_line(&mut line).expect("the service answers");
            let line = line.trim_end().to_ascii_lowercase();
            if number == 0 {
                status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status line");
            } else if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            } else if line.is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        self.connection.read_exact(&mut answer).expect("the whole answer arrives");
        (status, String::from_utf8(answer).expect("the answer is UTF-8"))
    }
}
