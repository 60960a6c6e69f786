//! Forms, with and without files.

use std::sync::Arc;

use futures_util::stream::{BoxStream, StreamExt, iter, once};
use serde_json::Value;

use super::files::Files;
use super::options::random_text;
use super::transport::{Body, Open};

/// Returns the names and texts of a value in a form.
pub(super) fn form_pairs(
    value: &Value,
    mark: &str,
    name: &str,
) -> Result<Vec<(String, String)>, String> {
    let is_nested = |item: &Value| item.is_null() || item.is_object() || item.is_array();
    let members: Vec<(String, &Value)> = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Object(members) => members
            .iter()
            .map(|(key, item)| (key.clone(), item))
            .collect(),
        Value::Array(items) if items.iter().any(is_nested) => items
            .iter()
            .enumerate()
            .map(|(index, item)| (index.to_string(), item))
            .collect(),
        Value::Array(items) => {
            let name = format!("{name}{mark}");
            return Ok(items
                .iter()
                .map(|item| (name.clone(), text_of(item)))
                .collect());
        }
        _ => return Ok(vec![(name.to_owned(), text_of(value))]),
    };
    let mut pairs = Vec::new();
    for (key, item) in members {
        if key.contains(['[', ']']) {
            return Err(format!("a form cannot express the name {key}"));
        }
        let place = if name.is_empty() {
            key.clone()
        } else {
            format!("{name}[{key}]")
        };
        let inner = form_pairs(item, mark, &place)?;
        if value.is_array() && inner.is_empty() {
            return Err(format!("{place} is empty, which a form cannot express"));
        }
        pairs.extend(inner);
    }
    Ok(pairs)
}

/// Returns the text of a value in a form, an address or a header: text itself, or JSON.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A body with several parts.
pub(super) struct Multipart {
    pub body: Body,
    pub media_type: String,
    pub length: u64,
}

/// Returns a form with texts, and then files.
pub(super) fn multipart(
    texts: &[(String, String)],
    mark: &str,
    files: &Files,
) -> Result<Multipart, String> {
    let boundary = random_text()?;
    let mut parts: Vec<Open> = Vec::new();
    let mut length = 0;
    let mut write = |parts: &mut Vec<Open>, text: String| {
        let bytes = bytes::Bytes::from(text);
        length += bytes.len() as u64;
        parts.push(Arc::new(move || {
            once(std::future::ready(Ok(bytes.clone()))).boxed()
        }));
    };
    let disposition = "content-disposition: form-data; name=";
    for (name, text) in texts {
        let name = quoted(name);
        write(
            &mut parts,
            format!("--{boundary}\r\n{disposition}{name}\r\n\r\n{text}\r\n"),
        );
    }
    let mut content = 0;
    for (name, is_list, file) in &files.0 {
        let filename = quoted(if file.name.is_empty() {
            name
        } else {
            &file.name
        });
        let name = quoted(&format!("{name}{}", if *is_list { mark } else { "" }));
        let media_type = file.media_type()?;
        let head = format!("--{boundary}\r\n{disposition}{name}; filename={filename}\r\n");
        write(
            &mut parts,
            format!("{head}content-type: {media_type}\r\n\r\n"),
        );
        parts.push(file.open.clone());
        content += file.length;
        write(&mut parts, "\r\n".to_owned());
    }
    write(&mut parts, format!("--{boundary}--\r\n"));
    let open = move || -> BoxStream<'static, std::io::Result<bytes::Bytes>> {
        let parts = parts.clone();
        iter(parts).flat_map(|open| open()).boxed()
    };
    Ok(Multipart {
        body: Body::Parts(Arc::new(open)),
        media_type: format!("multipart/form-data; boundary={boundary}"),
        length: length + content,
    })
}

/// Refuses names that senders and receivers escape in different ways.
pub(super) fn check_names(pairs: &[(String, String)]) -> Result<(), String> {
    let is_odd = |name: &&(String, String)| {
        ["\\", "%22", "%0D", "%0A"]
            .iter()
            .any(|text| name.0.contains(text))
    };
    match pairs.iter().find(is_odd) {
        Some((name, _)) => Err(format!("a form with files cannot express the name {name}")),
        None => Ok(()),
    }
}

fn quoted(name: &str) -> String {
    let name = name
        .replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    format!("\"{name}\"")
}
