//! `multipart/form-data` bodies.

/// A form: head and body of each part.
pub struct Form {
    parts: Vec<(String, Vec<u8>)>,
}

impl Form {
    pub fn new() -> Self {
        Self { parts: Vec::new() }
    }

    pub fn field(mut self, name: &str, value: &str) -> Self {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"\r\n");
        self.parts.push((head, value.as_bytes().to_vec()));
        self
    }

    pub fn file(mut self, name: &str, file_name: &str, kind: &str, bytes: Vec<u8>) -> Self {
        let disposition =
            format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{file_name}\"\r\n");
        self.parts.push((format!("{disposition}Content-Type: {kind}\r\n"), bytes));
        self
    }

    /// The content type and the body.
    pub fn finish(self) -> (String, Vec<u8>) {
        let boundary = self.boundary();
        let mut body =
            Vec::with_capacity(self.parts.iter().map(|(head, body)| head.len() + body.len() + 100).sum());
        for (head, part) in &self.parts {
            body.extend(format!("--{boundary}\r\n{head}\r\n").as_bytes());
            body.extend(part);
            body.extend(b"\r\n");
        }
        body.extend(format!("--{boundary}--\r\n").as_bytes());
        (format!("multipart/form-data; boundary={boundary}"), body)
    }

    /// A boundary that occurs in no part.
    fn boundary(&self) -> String {
        let held = |boundary: &String| {
            let line = boundary.as_bytes();
            self.parts.iter().any(|(_, part)| part.windows(line.len()).any(|window| window == line))
        };
        (0u32..)
            .map(|number| format!("part-of-a-form-{number:08}"))
            .find(|boundary| !held(boundary))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cannot_contain_the_boundary() {
        let hostile =
            b"--part-of-a-form-00000000\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nother";
        let (kind, body) =
            Form::new().file("file", "a.wav", "audio/wav", hostile.to_vec()).field("model", "one").finish();
        let boundary = kind.split_once("boundary=").unwrap().1;
        let text = String::from_utf8(body).unwrap();
        assert_eq!(text.matches(&format!("--{boundary}\r\n")).count(), 2);
        assert!(text.ends_with(&format!("\r\n\r\none\r\n--{boundary}--\r\n")));
    }
}
