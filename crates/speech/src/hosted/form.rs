//! Bodies of `multipart/form-data`.

/// A form that is being filled.
pub struct Form {
    body: Vec<u8>,
}

/// Does not occur in samples, which are 16 bits of sound: those with letters in both halves are not that long in a row.
const BOUNDARY: &str = "rondo-speech-form-7MA4YWxkTrZu0gW-boundary";

impl Form {
    pub fn new() -> Self {
        Self { body: Vec::new() }
    }

    pub fn field(mut self, name: &str, value: &str) -> Self {
        self.head(&format!("name=\"{name}\""), None);
        self.body.extend(value.as_bytes());
        self.body.extend(b"\r\n");
        self
    }

    pub fn file(mut self, name: &str, file_name: &str, kind: &str, bytes: &[u8]) -> Self {
        self.head(&format!("name=\"{name}\"; filename=\"{file_name}\""), Some(kind));
        self.body.extend(bytes);
        self.body.extend(b"\r\n");
        self
    }

    fn head(&mut self, disposition: &str, kind: Option<&str>) {
        self.body
            .extend(format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {disposition}\r\n").as_bytes());
        if let Some(kind) = kind {
            self.body.extend(format!("Content-Type: {kind}\r\n").as_bytes());
        }
        self.body.extend(b"\r\n");
    }

    /// The content type and the body.
    pub fn finish(mut self) -> (String, Vec<u8>) {
        self.body.extend(format!("--{BOUNDARY}--\r\n").as_bytes());
        (format!("multipart/form-data; boundary={BOUNDARY}"), self.body)
    }
}
