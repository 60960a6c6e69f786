//! Files in requests and responses.

use std::fmt;
use std::future::ready;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};

use futures_util::stream::{BoxStream, Stream, StreamExt, TryStreamExt, once, try_unfold};
use percent_encoding::percent_decode_str;
use regex::Regex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::errors::Error;
use super::rest::is_printable;
use super::transport::{Headers, Open};
use super::values::Secret;

/// The type of files without one.
const USUAL_TYPE: &str = "application/octet-stream";

/// The content of a file in a request.
type Parts = BoxStream<'static, std::io::Result<bytes::Bytes>>;

/// A file in a request.
#[derive(Clone)]
pub struct File {
    pub name: String,
    /// The media type, `application/octet-stream` if it is empty.
    pub media_type: String,
    pub(super) length: u64,
    pub(super) open: Open,
}

impl File {
    /// Creates a file in memory.
    pub fn new(content: impl Into<bytes::Bytes>) -> Self {
        let content: bytes::Bytes = content.into();
        let length = content.len() as u64;
        let open = move || once(ready(Ok(content.clone()))).boxed();
        Self::from_parts(length, open)
    }

    /// Creates a file of a known length, whose content is opened for each attempt. If the content has another length,
    /// e.g. because it has grown, the attempt fails.
    pub fn from_parts<F>(length: u64, open: F) -> Self
    where
        F: Fn() -> Parts + Send + Sync + 'static,
    {
        Self {
            name: String::new(),
            media_type: String::new(),
            length,
            open: Arc::new(move || counted(open(), length)),
        }
    }

    /// Returns the file with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the file with a media type.
    #[must_use]
    pub fn of_type(mut self, media_type: impl Into<String>) -> Self {
        self.media_type = media_type.into();
        self
    }

    pub(super) fn media_type(&self) -> Result<&str, String> {
        match self.media_type.as_str() {
            "" => Ok(USUAL_TYPE),
            text if is_printable(text) => Ok(text),
            _ => Err("the type of a file contains characters that are not allowed".to_owned()),
        }
    }
}

/// Ends the content with an error if it has another length.
fn counted(parts: Parts, length: u64) -> Parts {
    let parts = parts.try_filter(|part| ready(!part.is_empty())).fuse();
    let state = (parts.boxed(), length);
    try_unfold(state, move |(mut parts, left)| async move {
        let wrong = || std::io::Error::other(format!("the file does not have {length} bytes"));
        let Some(part) = parts.try_next().await? else {
            return if left == 0 { Ok(None) } else { Err(wrong()) };
        };
        match left.checked_sub(part.len() as u64) {
            // Transports read no further than the length.
            Some(0) if parts.try_next().await?.is_some() => Err(wrong()),
            Some(left) => Ok(Some((part, (parts, left)))),
            None => Err(wrong()),
        }
    })
    .boxed()
}

impl PartialEq for File {
    /// Files are equal if they open the same content.
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.media_type) == (&other.name, &other.media_type)
            && Arc::ptr_eq(&self.open, &other.open)
    }
}

impl<'de> Deserialize<'de> for File {
    /// Structs with files can also be in responses, whose JSON contains no files.
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("a file is no JSON"))
    }
}

impl fmt::Debug for File {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} ({} bytes)", self.name, self.length)
    }
}

/// A file of a request, with the name of its field in JSON, and whether the field is a list.
pub(super) type FileOf = (&'static str, bool, File);

/// A field that is a file or a list of files.
pub trait FileField {
    /// Returns the files, and whether they are a list.
    fn files(&self) -> (&[File], bool);
}

impl FileField for File {
    fn files(&self) -> (&[File], bool) {
        (std::slice::from_ref(self), false)
    }
}

impl FileField for Vec<File> {
    fn files(&self) -> (&[File], bool) {
        (self, true)
    }
}

impl<T: FileField> FileField for Secret<T> {
    fn files(&self) -> (&[File], bool) {
        self.0.files()
    }
}

impl<T: FileField> FileField for Option<T> {
    fn files(&self) -> (&[File], bool) {
        self.as_ref().map_or((&[], false), T::files)
    }
}

/// A file in a response, which is received while it is read.
pub struct Download {
    /// The name that the server chose. Do not use it as a path without checking it.
    pub name: String,
    pub media_type: String,
    pub size: Option<u64>,
    parts: BoxStream<'static, Result<bytes::Bytes, Error>>,
}

impl Download {
    pub(super) fn new(
        headers: &Headers,
        parts: BoxStream<'static, Result<bytes::Bytes, Error>>,
    ) -> Self {
        let media_type = headers.get("content-type");
        let length = headers.get("content-length");
        Self {
            name: name_in(&headers.get("content-disposition").unwrap_or_default()),
            media_type: media_type.unwrap_or_else(|| USUAL_TYPE.to_owned()),
            size: length.and_then(|length| length.parse().ok()),
            parts,
        }
    }

    /// Returns the next part of the content, or `None` at its end.
    pub async fn next(&mut self) -> Option<Result<bytes::Bytes, Error>> {
        self.parts.next().await
    }

    /// Returns the whole content.
    pub async fn read(mut self) -> Result<Vec<u8>, Error> {
        let mut content = Vec::new();
        while let Some(part) = self.next().await {
            content.extend_from_slice(&part?);
        }
        Ok(content)
    }
}

impl Stream for Download {
    type Item = Result<bytes::Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.parts.poll_next_unpin(task)
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} ({})", self.name, self.media_type)
    }
}

/// A parameter of a header: its name, and its value as a string or a word.
static PARAMETER: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#";\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))"#;
    Regex::new(pattern).expect("the pattern is valid")
});
static ESCAPE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\\(.)").expect("the pattern is valid"));

/// Returns the name of a file in the header `content-disposition` (RFC 6266).
fn name_in(header: &str) -> String {
    let mut plain = String::new();
    for found in PARAMETER.captures_iter(header) {
        let value = match (found.get(2), found.get(3)) {
            (Some(quoted), _) => ESCAPE.replace_all(quoted.as_str(), "$1").into_owned(),
            (None, word) => word.map_or("", |word| word.as_str().trim()).to_owned(),
        };
        let parts: Vec<&str> = value.splitn(3, '\'').collect();
        match (found[1].to_ascii_lowercase().as_str(), &parts[..]) {
            ("filename*", [set, _, text]) if set.eq_ignore_ascii_case("utf-8") => {
                return percent_decode_str(text).decode_utf8_lossy().into_owned();
            }
            ("filename", _) => plain = value,
            _ => (),
        }
    }
    plain
}
