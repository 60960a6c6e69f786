//! Forms, with and without files.

use futures_util::stream::{StreamExt, iter};
use serde_json::Value;

use super::files::{File, FileOf};
use super::json::text_of;
use super::options::random_text;

/// Names and texts.
pub(super) type Pairs = Vec<(String, String)>;

/// Returns the names and texts of a value in a form.
pub(super) fn form_pairs(value: &Value, mark: &str, name: &str) -> Result<Pairs, String> {
    let is_nested = |item: &Value| item.is_null() || item.is_object() || item.is_array();
    let members: Vec<(String, &Value)> = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Object(members) => members.keys().cloned().zip(members.values()).collect(),
        Value::Array(items) if items.iter().any(is_nested) => {
            let keys = (0..items.len()).map(|index| index.to_string());
            keys.zip(items).collect()
        }
        Value::Array(items) => {
            let pair = |item: &Value| (format!("{name}{mark}"), text_of(item));
            return Ok(items.iter().map(pair).collect());
        }
        _ => return Ok(vec![(name.to_owned(), text_of(value))]),
    };
    let mut pairs = Vec::new();
    for (key, item) in members {
        if key.contains(['[', ']']) {
            return Err(format!("a form cannot express the name {key}"));
        }
        let place = if name.is_empty() {
            key
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

/// What senders and receivers escape in different ways.
const AMBIGUOUS: [&str; 4] = ["\\", "%22", "%0D", "%0A"];

/// Returns a form with texts, and then files.
pub(super) fn multipart(
    texts: &[(String, String)],
    mark: &str,
    files: &[FileOf],
) -> Result<File, String> {
    let boundary = random_text()?;
    let head = format!("--{boundary}\r\ncontent-disposition: form-data; name=");
    let mut parts = Vec::new();
    for (name, text) in texts {
        if AMBIGUOUS.iter().any(|text| name.contains(text)) {
            return Err(format!("a form with files cannot express the name {name}"));
        }
        let name = quoted(name);
        parts.push(File::new(format!("{head}{name}\r\n\r\n{text}\r\n")));
    }
    for (name, is_list, file) in files {
        let filename = quoted(if file.name.is_empty() {
            name
        } else {
            &file.name
        });
        let name = quoted(&format!("{name}{}", if *is_list { mark } else { "" }));
        let media_type = file.media_type()?;
        let end = format!("filename={filename}\r\ncontent-type: {media_type}\r\n\r\n");
        parts.push(File::new(format!("{head}{name}; {end}")));
        parts.push(file.clone());
        parts.push(File::new("\r\n"));
    }
    parts.push(File::new(format!("--{boundary}--\r\n")));
    let length = parts.iter().map(|part| part.length).sum();
    let open = move || iter(parts.clone()).flat_map(|part| (part.open)()).boxed();
    let media_type = format!("multipart/form-data; boundary={boundary}");
    Ok(File::from_parts(length, open).of_type(media_type))
}

fn quoted(name: &str) -> String {
    let name = name.replace('"', "%22").replace('\r', "%0D");
    format!("\"{}\"", name.replace('\n', "%0A"))
}
