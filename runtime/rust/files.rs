//! Files in requests and responses.

use std::fmt;
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::stream::{BoxStream, Stream, StreamExt, TryStreamExt, once, unfold};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::errors::Error;
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
        let media_type = self.media_type.as_str();
        if !media_type.bytes().all(|each| matches!(each, b' '..=b'~')) {
            return Err("the type of a file contains characters that are not allowed".to_owned());
        }
        let types = [media_type, USUAL_TYPE];
        Ok(types[usize::from(media_type.is_empty())])
    }
}

/// Ends the content with an error if it has another length.
fn counted(parts: Parts, length: u64) -> Parts {
    let parts = parts.try_filter(|part| ready(!part.is_empty()));
    unfold(Some((parts.boxed(), length)), move |state| async move {
        let (mut parts, left) = state?;
        let wrong = || std::io::Error::other(format!("the file does not have {length} bytes"));
        let part = match parts.next().await {
            None if left == 0 => return None,
            None => return Some((Err(wrong()), None)),
            Some(Err(error)) => return Some((Err(error), None)),
            Some(Ok(part)) => part,
        };
        let left = left.checked_sub(part.len() as u64);
        Some(match left {
            // Transports read no further than the length.
            Some(0) => match parts.next().await {
                None => (Ok(part), None),
                Some(more) => (more.and(Err(wrong())), None),
            },
            Some(left) => (Ok(part), Some((parts, left))),
            None => (Err(wrong()), None),
        })
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
        let header = |name: &str| headers.get(name);
        Self {
            name: name_in(&header("content-disposition").unwrap_or_default()),
            media_type: header("content-type").unwrap_or_else(|| USUAL_TYPE.to_owned()),
            size: header("content-length").and_then(|text| text.parse().ok()),
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

/// Returns the name of a file in the header `content-disposition` (RFC 6266).
fn name_in(header: &str) -> String {
    let mut plain = String::new();
    let mut rest = header;
    while let Some((_, after)) = rest.split_once(';') {
        let (name, value) = after.split_once('=').unwrap_or((after, ""));
        let (value, end) = match value.trim_start().strip_prefix('"') {
            Some(quoted) => unquoted(quoted),
            None => {
                let end = value.find(';').unwrap_or(value.len());
                (value[..end].trim().to_owned(), &value[end..])
            }
        };
        rest = end;
        match name.trim().to_ascii_lowercase().as_str() {
            "filename*" => {
                let mut parts = value.splitn(3, '\'');
                let is_utf8 = parts
                    .next()
                    .is_some_and(|set| set.eq_ignore_ascii_case("utf-8"));
                if let (true, Some(text)) = (is_utf8, parts.nth(1)) {
                    return decoded(text);
                }
            }
            "filename" => plain = value,
            _ => (),
        }
    }
    plain
}

/// Returns the text of a string after its first quote, and what follows it.
fn unquoted(text: &str) -> (String, &str) {
    let mut found = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (found, &text[at + 1..]),
            '\\' => found.extend(letters.next().map(|(_, escaped)| escaped)),
            _ => found.push(letter),
        }
    }
    (found, "")
}

/// Decodes percent signs.
pub(super) fn decoded(text: &str) -> String {
    let (first, rest) = text.split_once('%').unwrap_or((text, ""));
    let mut bytes = first.as_bytes().to_vec();
    let parts = rest.split('%').skip(usize::from(first.len() == text.len()));
    for part in parts {
        let code = part.get(..2);
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => bytes.extend([&[byte], &part.as_bytes()[2..]].concat()),
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
