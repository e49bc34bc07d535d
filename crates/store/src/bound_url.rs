//! Addresses of S3 that take a file of one type and size. The length of a request is not among the headers that `object_store`
//! signs, so such an address is signed here, by version 4 of the signature.

use std::fmt::Write;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use url::Url;

const SIGNED: &str = "content-length;content-type;host";

/// Binds an address for PUT that is signed for any file to a type and a size. `None` if it is no signed address.
pub fn bind(url: &Url, secret: &str, content_type: &str, size: u64) -> Option<Url> {
    let value =
        |name: &str| url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
    let (credential, date) = (value("X-Amz-Credential")?, value("X-Amz-Date")?);
    // `key/20261118/us-east-1/s3/aws4_request`.
    let scope = credential.split_once('/')?.1;
    let mut query: Vec<String> = url
        .query()?
        .split('&')
        .filter(|pair| !pair.starts_with("X-Amz-Signature=") && !pair.starts_with("X-Amz-SignedHeaders="))
        .map(str::to_owned)
        .collect();
    query.push(format!("X-Amz-SignedHeaders={}", SIGNED.replace(';', "%3B")));
    query.sort();
    let query = query.join("&");
    let host = match url.port() {
        Some(port) => format!("{}:{port}", url.host_str()?),
        None => url.host_str()?.to_owned(),
    };
    let headers = format!("content-length:{size}\ncontent-type:{content_type}\nhost:{host}\n");
    let request = format!("PUT\n{}\n{query}\n{headers}\n{SIGNED}\nUNSIGNED-PAYLOAD", url.path());
    let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{}", hex(&Sha256::digest(request)));
    let key = scope.split('/').fold(format!("AWS4{secret}").into_bytes(), |key, part| mac(&key, part));
    let mut bound = url.clone();
    bound.set_query(Some(&format!("{query}&X-Amz-Signature={}", hex(&mac(&key, &text)))));
    Some(bound)
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
