//! Addresses of objects, and the stores that hold them.

// Only its features are needed: `object_store` makes the connections with it, and has no TLS without them.
use reqwest as _;

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::path::Path as ObjectPath;
use object_store::{BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, RetryConfig};

use super::runtime::lock;

/// Longest wait for a connection, for the next bytes of an answer, and for the whole answer. An answer has
/// at most 4 MiB, which slow lines need time for. Each entry has the environment variable that overrides
/// it, without the prefix of the provider.
const PATIENCE: [(ClientConfigKey, &str, &str); 3] = [
    (ClientConfigKey::ConnectTimeout, "CONNECT_TIMEOUT", "10s"),
    (ClientConfigKey::ReadTimeout, "READ_TIMEOUT", "30s"),
    (ClientConfigKey::Timeout, "TIMEOUT", "600s"),
];

/// Largest number of repetitions of a request that the server refuses for a while (429 and 500 to 599) or
/// does not answer.
const RETRIES: usize = 5;
/// Longest time that the repetitions take.
const RETRY_TIME: Duration = Duration::from_secs(60);

/// The parts of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address<'a> {
    pub(super) scheme: &'a str,
    /// Bucket, container, or host with port.
    pub(super) host: &'a str,
    /// Path after the slash that follows the host.
    pub(super) path: &'a str,
}

impl<'a> Address<'a> {
    /// Splits an address.
    ///
    /// # Errors
    /// If it names no host or bucket.
    pub(super) fn parse(address: &'a str) -> io::Result<Self> {
        let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        match host.is_empty() {
            true => Err(invalid("the address names no host and no bucket")),
            false => Ok(Address { scheme, host, path }),
        }
    }

    /// Returns `true` if the address may name a folder of objects. One of HTTP names one file.
    pub(super) fn can_be_folder(&self) -> bool {
        !matches!(self.scheme, "http" | "https")
    }
}

/// Returns an error for an address that cannot be read by its form.
pub(super) fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// Stores by bucket or host. Each has its own connections, which all files of the store share.
static STORES: LazyLock<Mutex<HashMap<String, Arc<dyn ObjectStore>>>> = LazyLock::new(Mutex::default);

/// Returns the store of an address, and the path of the object in it.
///
/// # Errors
/// If the scheme is not known, or the settings of the environment are wrong.
pub(super) fn find(address: &str) -> io::Result<(Arc<dyn ObjectStore>, ObjectPath)> {
    let parts = Address::parse(address)?;
    let wrong = |error: object_store::path::Error| invalid(format!("no name of an object: {error}"));
    let (key, path) = if parts.can_be_folder() {
        let path = ObjectPath::parse(parts.path).map_err(wrong)?;
        (format!("{}://{}", parts.scheme, parts.host), path)
    } else if parts.path.contains(['?', '%', '#']) || parts.path.ends_with('/') {
        // The store would encode such an address differently, so the address gets a store of its own.
        (address.to_owned(), ObjectPath::default())
    } else {
        let path = ObjectPath::parse(parts.path).map_err(wrong)?;
        (format!("{}://{}", parts.scheme, parts.host), path)
    };
    // The lock is held while a store is built, so that each is built once.
    let mut stores = lock(&STORES);
    if let Some(store) = stores.get(&key) {
        return Ok((Arc::clone(store), path));
    }
    let store = build(&parts, &key).map_err(|error| invalid(error.to_string()))?;
    stores.insert(key, Arc::clone(&store));
    Ok((store, path))
}

/// Makes a store. Credentials and settings come from the environment, under the names that the programs of each provider use.
fn build(address: &Address<'_>, url: &str) -> object_store::Result<Arc<dyn ObjectStore>> {
    // HTTP clients use the cryptography provider of the process. If there is one already, it stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryConfig {
        backoff: BackoffConfig::default(),
        max_retries: RETRIES,
        retry_timeout: RETRY_TIME,
    };
    Ok(match address.scheme {
        "s3" => {
            let store = AmazonS3Builder::from_env().with_bucket_name(address.host);
            let set = |store: AmazonS3Builder, (key, value)| {
                store.with_config(AmazonS3ConfigKey::Client(key), value)
            };
            let store = patience("AWS").fold(store, set);
            Arc::new(store.with_retry(retry).build()?)
        }
        "gs" => {
            let store = GoogleCloudStorageBuilder::from_env().with_bucket_name(address.host);
            let set = |store: GoogleCloudStorageBuilder, (key, value)| {
                store.with_config(GoogleConfigKey::Client(key), value)
            };
            let store = patience("GOOGLE").fold(store, set);
            Arc::new(store.with_retry(retry).build()?)
        }
        "az" => {
            let store = MicrosoftAzureBuilder::from_env().with_container_name(address.host);
            let set = |store: MicrosoftAzureBuilder, (key, value)| {
                store.with_config(AzureConfigKey::Client(key), value)
            };
            let store = patience("AZURE").fold(store, set);
            Arc::new(store.with_retry(retry).build()?)
        }
        "http" | "https" => {
            // A file without ranges comes in one answer, which may take any time as long as bytes arrive.
            let client = patience("").fold(ClientOptions::new(), |client, (key, value)| {
                client.with_config(key, value)
            });
            let client = client
                .with_timeout_disabled()
                .with_allow_http(address.scheme == "http");
            let store = HttpBuilder::new().with_url(url).with_retry(retry);
            Arc::new(store.with_client_options(client).build()?)
        }
        other => {
            return Err(object_store::Error::NotSupported {
                source: format!(
                    "addresses of `{other}://` are not read; known are https, http, s3, gs and az"
                )
                .into(),
            });
        }
    })
}

/// Returns the times of [`PATIENCE`] that the environment does not set under names with this prefix.
fn patience(prefix: &str) -> impl Iterator<Item = (ClientConfigKey, &'static str)> {
    let is_set = move |name: &str| std::env::var_os(format!("{prefix}_{name}")).is_some();
    let ours = PATIENCE.into_iter().filter(move |(_, name, _)| !is_set(name));
    ours.map(|(key, _, value)| (key, value))
}

/// Advice for an address that cannot be opened.
pub(crate) fn help(address: &str) -> &'static str {
    match address.split_once("://").map(|(scheme, _)| scheme) {
        Some("s3") => {
            "credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_SKIP_SIGNATURE=true reads public buckets, \
             AWS_ENDPOINT_URL names another server"
        }
        Some("gs") => "credentials come from the file that GOOGLE_APPLICATION_CREDENTIALS names",
        Some("az") => "credentials come from AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
        _ => "check the address, and that the server lets you read it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_host_and_a_path() {
        let parts = |address| Address::parse(address).map(|parts| (parts.scheme, parts.host, parts.path));
        for (address, expected) in [
            ("s3://bucket/a/b.warc", ("s3", "bucket", "a/b.warc")),
            ("s3://bucket", ("s3", "bucket", "")),
            ("http://127.0.0.1:80/x?y=/z", ("http", "127.0.0.1:80", "x?y=/z")),
        ] {
            assert_eq!(parts(address).unwrap(), expected);
        }
        assert!(Address::parse("s3:///x").is_err());
    }

    #[test]
    fn stores_are_shared_and_unknown_schemes_refused() {
        let one = find("http://a.example/x/y.html").unwrap();
        let two = find("http://a.example/z.html").unwrap();
        assert!(Arc::ptr_eq(&one.0, &two.0));
        assert_eq!((one.1.as_ref(), two.1.as_ref()), ("x/y.html", "z.html"));
        // A query is part of the address, and not of a path.
        let query = find("http://a.example/z.html?a=b").unwrap();
        assert!(!Arc::ptr_eq(&one.0, &query.0) && query.1.as_ref().is_empty());
        let error = find("gopher://a.example/x").unwrap_err();
        assert!(error.to_string().contains("known are https"), "{error}");
        assert_eq!(
            find("s3://bucket/a//b").unwrap_err().kind(),
            io::ErrorKind::InvalidInput
        );
    }
}
