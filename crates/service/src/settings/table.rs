//! The table of settings: names, values, defaults and help. The command line, `rondo.toml` and the documentation follow from it.

/// One row of the table. A setting `public-url` is the flag `--public-url`, the variable `RONDO_PUBLIC_URL` and the
/// key `public-url` in `rondo.toml`.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub name: &'static str,
    /// What the value looks like; empty for a switch.
    pub value: &'static str,
    /// Empty if there is none, or if the help describes it.
    pub default: &'static str,
    pub help: &'static str,
}

const fn row(name: &'static str, value: &'static str, default: &'static str, help: &'static str) -> Setting {
    Setting { name, value, default, help }
}

/// Every setting.
pub const SETTINGS: &[Setting] = &[
    row("listen", "ADDRESS", "127.0.0.1:8080", "Address and port to listen on"),
    row("data", "DIR", "rondo-data", "Folder for the database, files and caches; created if missing"),
    row(
        "public-url",
        "URL",
        "",
        "URL under which clients reach the service; used in all links, and kept in the database. Default: the one that was set last, or `http://` and the listen address",
    ),
    row(
        "files-url",
        "URL",
        "",
        "URL of a separate host name for `/files/`, which serves nothing else. Default: files are served under `public-url`",
    ),
    row(
        "files",
        "URL",
        "",
        "S3 bucket for outputs, uploads, narrations and template pictures, as in `s3://bucket/prefix`; region, endpoint and credentials come from the `AWS_*` variables. Default: the data folder",
    ),
    row(
        "proxy-files",
        "",
        "false",
        "Send and receive the files of a bucket through the service, instead of at signed addresses of the bucket",
    ),
    row(
        "role",
        "all|api|worker",
        "all",
        "Role of this process: handle requests (`api`), render (`worker`), or both (`all`)",
    ),
    row("workers", "N", "1", "Number of renders this process runs concurrently"),
    row(
        "database-url",
        "URL",
        "",
        "PostgreSQL URL (`postgres://…`). Default: a SQLite file in the data folder",
    ),
    row(
        "allow-private-network",
        "",
        "false",
        "Allow media, webhooks, callbacks and destinations to use private and loopback addresses",
    ),
    row(
        "master-key",
        "KEY",
        "",
        "Key that encrypts stored secrets, 64 hexadecimal digits; set it as `RONDO_MASTER_KEY`, not as a flag. Default: the file `master.key` in the data folder",
    ),
    row(
        "metrics-listen",
        "ADDRESS",
        "",
        "Address for Prometheus metrics at `/metrics`, and for `/healthz` and `/readyz`. Default: no metrics",
    ),
    row(
        "sign-up",
        "open|invite|closed",
        "invite",
        "Who can sign up: everyone (`open`), invited people (`invite`) or no one (`closed`). The first account can always be created",
    ),
    row(
        "sign-up-credits",
        "N",
        "0",
        "Credits that a new account starts with, unless its invitation says otherwise",
    ),
    row(
        "publish",
        "operators|everyone",
        "operators",
        "Who can publish templates for all accounts. Everyone can make private ones",
    ),
    row(
        "contact",
        "ADDRESS",
        "",
        "Email address or URL shown to people who need credits. Default: they are told to ask the operator",
    ),
    row(
        "smtp-url",
        "URL",
        "",
        "SMTP server, for example `smtps://user:password@mail.example.com`. Default: no mail is sent",
    ),
    row(
        "mail-from",
        "ADDRESS",
        "",
        "Sender of mail, for example `Rondo <video@example.com>`; required with `smtp-url`",
    ),
    row(
        "trusted-proxies",
        "N",
        "0",
        "Number of reverse proxies in front of the service. The client address is read that many entries from the end of `X-Forwarded-For`",
    ),
    row("max-connections", "N", "4096", "Maximum number of open connections"),
    row(
        "max-connections-per-address",
        "N",
        "256",
        "Maximum number of open connections from one IPv4 address or IPv6 /64 network. Not applied behind trusted proxies",
    ),
    row("log", "text|json", "text", "Format of the log lines on standard error: `text` or `json`"),
    row(
        "log-level",
        "error|warn|info|debug",
        "info",
        "Minimum log level: `error`, `warn`, `info` or `debug`",
    ),
    row("max-minutes", "N", "60", "Maximum film length in minutes, up to 180"),
    row(
        "concurrency-none",
        "N",
        "2",
        "Concurrent renders of an account without a plan; further renders wait",
    ),
    row("concurrency-creator", "N", "5", "Concurrent renders of an account on the Creator plan"),
    row("concurrency-business", "N", "20", "Concurrent renders of an account on the Business plan"),
    row(
        "storage-mb-none",
        "N",
        "10000",
        "Megabytes of uploads, outputs and narrations kept for an account without a plan; 0 means no limit",
    ),
    row("storage-mb-creator", "N", "100000", "The same for an account on the Creator plan"),
    row("storage-mb-business", "N", "1000000", "The same for an account on the Business plan"),
    row(
        "max-output-mb",
        "N",
        "10000",
        "Maximum size of an output in megabytes; a render that exceeds it fails",
    ),
    row(
        "min-free-disk-mb",
        "N",
        "1024",
        "While the disk of the data folder has fewer megabytes free, uploads and new renders are refused; 0 turns this off",
    ),
    row(
        "render-timeout-minutes",
        "N",
        "360",
        "Maximum time for a render with its media and its speech. Without media and speech, a render may take ten minutes plus four times its limit of processor time (`cpu-per-gigapixel`), if that is less than this setting. A render that takes longer fails",
    ),
    row("keep-outputs-days", "N", "30", "Days until outputs and unused narrations are deleted; 0 keeps them"),
    row("keep-uploads-days", "N", "90", "Days until uploads are deleted; 0 keeps them"),
    row("keep-deliveries-days", "N", "30", "Days until webhook delivery records are deleted; 0 keeps them"),
    row("keep-audit-days", "N", "365", "Days until events of the audit log are deleted; 0 keeps them"),
    row(
        "speech-dir",
        "DIR",
        "",
        "Folder of the transcription model and its libraries. Default: `assets/speech` of the installation",
    ),
    row(
        "whisper-model",
        "FILE",
        "",
        "whisper.cpp model file for local transcription, for example `ggml-base.bin`. Default: Moonshine",
    ),
    row(
        "narrator",
        "openai|elevenlabs",
        "",
        "API of a hosted text-to-speech provider: `openai` or `elevenlabs`. Default: the local engines",
    ),
    row("narrator-url", "URL", "", "Base URL without `/v1`. Default: the provider's API"),
    row("narrator-key", "KEY", "", "API key"),
    row("narrator-model", "NAME", "", "Model. Default: the provider's default model"),
    row("narrator-limit", "N", "0", "Maximum number of characters sent in 24 hours; 0 means no limit"),
    row(
        "transcriber",
        "openai|elevenlabs",
        "",
        "API of a hosted transcription provider: `openai` or `elevenlabs`. Default: a local engine",
    ),
    row("transcriber-url", "URL", "", "Base URL without `/v1`. Default: the provider's API"),
    row("transcriber-key", "KEY", "", "API key"),
    row("transcriber-model", "NAME", "", "Model. Default: the provider's default model"),
    row(
        "transcriber-limit",
        "N",
        "0",
        "Maximum number of seconds of audio sent in 24 hours; 0 means no limit",
    ),
    row(
        "pexels-key",
        "KEY",
        "",
        "API key of Pexels, for stock photos and videos in the editor; set it as `RONDO_PEXELS_KEY`, not as a flag. Default: no Pexels",
    ),
    row("pixabay-key", "KEY", "", "The same for Pixabay"),
    row("unsplash-key", "KEY", "", "Access key of Unsplash, for stock photos in the editor"),
    row(
        "encode-every-frame",
        "",
        "false",
        "Encode every H.264 frame, including frames equal to the previous one. Slower; films look the same",
    ),
    row(
        "sandbox",
        "required|auto|off",
        "auto",
        "Isolation of the processes that read media: every layer or no start (`required`), every layer that the kernel grants (`auto`), or resource limits only (`off`)",
    ),
    row("job-memory-mb", "N", "2048", "Maximum memory of the process of one render or preview, in megabytes"),
    row(
        "cpu-per-gigapixel",
        "N",
        "500",
        "Processor time of a render, in seconds per 1,000 megapixels (frames × pixels), beyond the first five minutes; a render that needs more fails",
    ),
    row(
        "font-registry",
        "npm|URL|off",
        "npm",
        "npm registry from which font families are fetched when a film first names them: the one that npm is configured with (`npm`), a URL, or none (`off`)",
    ),
    row(
        "gallery",
        "on|off",
        "on",
        "Make the pictures and preview films of the included templates in the background: `on` or `off`",
    ),
    row("chunk-cache-mb", "N", "10000", "Maximum size of the chunk cache in megabytes"),
    row("media-cache-mb", "N", "10000", "Maximum size of the cache of downloaded media in megabytes"),
];
