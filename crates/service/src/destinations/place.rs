//! The URL of a destination: a cloud, a bucket and a prefix.

/// Longest prefix in characters.
const LONGEST_PREFIX: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cloud {
    /// Amazon S3, and servers that speak its protocol.
    S3,
    Google,
    Azure,
}

impl Cloud {
    const ALL: [Self; 3] = [Self::S3, Self::Google, Self::Azure];

    pub fn scheme(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Google => "gs",
            Self::Azure => "az",
        }
    }
}

/// Where in a cloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub cloud: Cloud,
    /// For Azure a container.
    pub bucket: String,
    /// What keys begin with, without a slash at either end; may be empty.
    pub prefix: String,
}

impl Place {
    /// Reads `s3://bucket/prefix`, `gs://bucket/prefix` or `az://container/prefix`. Fails with what it must be.
    pub fn parse(url: &str) -> Result<Self, &'static str> {
        let (scheme, rest) = url.trim().split_once("://").ok_or(SCHEMES)?;
        let cloud = Cloud::ALL.into_iter().find(|cloud| cloud.scheme() == scheme).ok_or(SCHEMES)?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if !is_bucket(bucket) {
            return Err("have a bucket of 3 to 63 lower-case letters, digits, `.`, `_` and `-`");
        }
        let prefix = prefix.trim_matches('/');
        if !prefix.is_empty() && !is_prefix(prefix) {
            return Err(
                "have a prefix of at most 200 letters, digits, `-`, `_`, `.`, `=` and `/`, without empty, `.` or `..` parts",
            );
        }
        Ok(Self { cloud, bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// The key of a file.
    pub fn key(&self, file: &str) -> String {
        match self.prefix.as_str() {
            "" => file.to_owned(),
            prefix => format!("{prefix}/{file}"),
        }
    }

    /// The URL of a file.
    pub fn url_of(&self, file: &str) -> String {
        format!("{}://{}/{}", self.cloud.scheme(), self.bucket, self.key(file))
    }

    /// The URL of the place.
    pub fn url(&self) -> String {
        self.url_of("").trim_end_matches('/').to_owned()
    }
}

const SCHEMES: &str = "be s3://bucket/prefix, gs://bucket/prefix or az://container/prefix";

fn is_bucket(text: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9');
    (3..=63).contains(&text.len())
        && text.bytes().all(|byte| plain(byte) || b"._-".contains(&byte))
        && text.bytes().next().is_some_and(plain)
        && text.bytes().last().is_some_and(plain)
        && !text.contains("..")
}

fn is_prefix(text: &str) -> bool {
    text.len() <= LONGEST_PREFIX
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.=/".contains(&byte))
        && text.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_cloud_a_bucket_and_a_prefix() {
        for (url, cloud, bucket, prefix) in [
            ("s3://films/2026/spring", Cloud::S3, "films", "2026/spring"),
            (" gs://my.films/ ", Cloud::Google, "my.films", ""),
            ("az://films", Cloud::Azure, "films", ""),
            ("s3://films/a=b/", Cloud::S3, "films", "a=b"),
        ] {
            let place = Place::parse(url).unwrap();
            assert_eq!((place.cloud, &*place.bucket, &*place.prefix), (cloud, bucket, prefix), "{url}");
        }
        let place = Place::parse("s3://films/2026/").unwrap();
        assert_eq!(
            (place.url(), place.key("job_1.mp4")),
            ("s3://films/2026".into(), "2026/job_1.mp4".into())
        );
        assert_eq!(Place::parse("gs://films").unwrap().url_of("job_1.mp4"), "gs://films/job_1.mp4");
    }

    #[test]
    fn what_could_lead_elsewhere_is_refused() {
        for url in [
            "",
            "films",
            "https://films.s3.amazonaws.com",
            "file:///etc",
            "s3://",
            "s3://ab",
            "s3://Films",
            "s3://user:secret@films",
            "s3://films:9000/x",
            "s3://films.example.com../x",
            "s3://-films",
            "s3://films/../x",
            "s3://films/a//b",
            "s3://films/a?b",
            "s3://films/a b",
            "s3://films/%2e",
        ] {
            assert!(Place::parse(url).is_err(), "{url}");
        }
        assert!(Place::parse(&format!("s3://films/{}", "a".repeat(201))).is_err());
    }
}
