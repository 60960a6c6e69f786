//! Requests and responses with a verb, a path, a query, headers or a form of their own.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::contract::{Method, ResponseHeader, Rest};
use super::files::{File, FileOf};
use super::forms::{form_pairs, multipart};
use super::json::{parse, text_of};
use super::transport::{Body, Headers};

type Members = Map<String, Value>;

/// What a request consists of.
#[derive(Default)]
pub(super) struct Message {
    pub verb: String,
    /// Values for the placeholders of the path.
    pub members: Members,
    pub query: String,
    pub headers: BTreeMap<String, String>,
    pub media_type: Option<String>,
    pub body: Option<Body>,
}

impl Message {
    /// Distributes the fields of a request.
    pub fn new(method: &Method, members: Members, files: &[FileOf]) -> Result<Self, String> {
        let mut message = Self::default();
        if let Some(rest) = &method.rest {
            message.members = members;
            message.place(method, rest, files)?;
            return Ok(message);
        }
        message.verb = "POST".to_owned();
        let text = Value::Object(members).to_string();
        if method.has_files {
            message.set_file(&multipart(&[("json".to_owned(), text)], "", files)?)?;
        } else {
            message.set_text("application/json", text);
        }
        Ok(message)
    }

    fn place(&mut self, method: &Method, rest: &Rest, files: &[FileOf]) -> Result<(), String> {
        self.verb.clone_from(&rest.verb);
        self.query = query_of(rest, &self.members)?;
        for (name, field) in &rest.headers {
            if let Some(text) = header_of(name, self.members.get(field))? {
                self.headers.insert(name.to_ascii_lowercase(), text);
            }
        }
        let content = self.content_of(method, rest);
        if let Some(mark) = &rest.form {
            let pairs = form_pairs(&content.unwrap_or_default(), mark, "")?;
            if method.has_files && !(pairs.is_empty() && files.is_empty()) {
                self.set_file(&multipart(&pairs, mark, files)?)?;
            } else if !pairs.is_empty() {
                let pairs = pairs.iter().map(|(name, text)| pair(name, &encode(text)));
                let text = pairs.collect::<Vec<_>>().join("&");
                self.set_text("application/x-www-form-urlencoded", text);
            }
        } else if method.has_files {
            if let Some((_, _, file)) = files.first() {
                self.set_file(file)?;
            }
        } else if let Some(content) = content {
            let media_type = rest.media_type.as_deref().unwrap_or("application/json");
            self.set_text(media_type, content.to_string());
        }
        if self.body.is_none() && !matches!(self.verb.as_str(), "GET" | "HEAD" | "DELETE") {
            // Some servers respond with 411 to other requests without it.
            self.set_length(0);
        }
        Ok(())
    }

    fn set_text(&mut self, media_type: &str, text: String) {
        self.media_type = Some(media_type.to_owned());
        self.body = Some(Body::Whole(text.into()));
    }

    fn set_file(&mut self, file: &File) -> Result<(), String> {
        self.media_type = Some(file.media_type()?.to_owned());
        self.set_length(file.length);
        self.body = Some(Body::Parts(file.open.clone()));
        Ok(())
    }

    fn set_length(&mut self, length: u64) {
        let name = "content-length".to_owned();
        self.headers.insert(name, length.to_string());
    }

    /// Returns the value that is the body, or nothing if there is none.
    fn content_of(&self, method: &Method, rest: &Rest) -> Option<Value> {
        if let Some(field) = &rest.request_body {
            return self.members.get(field).cloned();
        }
        let mut members = self.members.clone();
        let in_query = rest.query.iter().filter_map(|slot| slot.field.as_deref());
        let in_headers = rest.headers.iter().map(|(_, field)| field.as_str());
        for name in in_query.chain(in_headers).chain(names_in(&method.path)) {
            members.shift_remove(name);
        }
        rest.has_body.then_some(Value::Object(members))
    }
}

/// Returns a pair of a query or a form.
pub(super) fn pair(name: &str, encoded: &str) -> String {
    format!("{}={encoded}", encode(name))
}

fn query_of(rest: &Rest, members: &Members) -> Result<String, String> {
    let mut pairs = Vec::new();
    for slot in &rest.query {
        let items = match &slot.field {
            None => vec![slot.value.clone()],
            Some(field) => texts_of(members.get(field)),
        };
        let mut texts: Vec<String> = items.iter().map(|text| encode(text)).collect();
        if slot.is_joined && !texts.is_empty() {
            check_commas("parameter", &slot.name, &items)?;
            texts = vec![texts.join(",")];
        }
        pairs.extend(texts.iter().map(|text| pair(&slot.name, text)));
    }
    let mark = if pairs.is_empty() { "" } else { "?" };
    Ok(format!("{mark}{}", pairs.join("&")))
}

/// Returns the texts of a value, or of the items of a list, in an address or a header.
fn texts_of(value: Option<&Value>) -> Vec<String> {
    match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items.iter().map(text_of).collect(),
        Some(other) => vec![text_of(other)],
    }
}

/// Refuses items with commas, because servers also split lists at encoded ones.
fn check_commas(what: &str, name: &str, items: &[String]) -> Result<(), String> {
    if items.iter().any(|item| item.contains(',')) {
        return Err(format!("{what} {name} has items with commas"));
    }
    Ok(())
}

/// Returns the text of a header, if it is sent. Errors do not quote it, because it can be secret.
fn header_of(name: &str, value: Option<&Value>) -> Result<Option<String>, String> {
    let items = texts_of(value);
    if value.is_some_and(Value::is_array) {
        check_commas("header", name, &items)?;
    } else if items == [""] {
        // An empty item of a list would be an empty list.
        return Ok(Some(String::new()));
    }
    let is_valid = |item: &String| !item.is_empty() && item.trim() == item && is_printable(item);
    match items.iter().all(is_valid) {
        true => Ok((!items.is_empty()).then(|| items.join(","))),
        false => Err(odd_header(name)),
    }
}

pub(super) fn odd_header(name: &str) -> String {
    format!("header {name} contains characters that are not allowed")
}

pub(super) fn is_printable(text: &str) -> bool {
    text.bytes().all(|each| matches!(each, b' '..=b'~'))
}

/// The characters that `encodeURIComponent` of JavaScript encodes, too.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'!')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// Encodes a text in an address.
pub(super) fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Returns the names of the placeholders of an address.
fn names_in(template: &str) -> impl Iterator<Item = &str> {
    let parts = template.split('{').skip(1);
    parts.filter_map(|part| Some(part.split_once('}')?.0))
}

/// Fills the placeholders of an address.
pub(super) fn fill<'a>(
    template: &str,
    value_of: impl Fn(&str) -> Option<&'a Value>,
) -> Result<String, String> {
    let mut filled = template.to_owned();
    for name in names_in(template) {
        let value = value_of(name);
        let texts = texts_of(value);
        if value.is_some_and(Value::is_array) {
            check_commas("parameter", name, &texts)?;
        }
        let texts: Vec<String> = texts.iter().map(|text| encode(text)).collect();
        let text = texts.join(",");
        if matches!(text.as_str(), "" | "." | "..") {
            return Err(format!("parameter {name} is missing or is only dots"));
        }
        filled = filled.replacen(&format!("{{{name}}}"), &text, 1);
    }
    Ok(filled)
}

/// Returns the message in a response. Items of streams have no headers.
pub(super) fn message_in(
    method: &Method,
    content: &[u8],
    status: u16,
    headers: Option<&Headers>,
) -> Option<Members> {
    let (Some(rest), Some(headers)) = (&method.rest, headers) else {
        return read_members(content, method.body.as_ref());
    };
    let fields = method.response_rule().map_or(0, |rule| rule.fields.len());
    let is_empty = fields == rest.response_headers.len();
    let mut members = if is_empty {
        Members::new()
    } else if rest.statuses.is_empty() {
        read_members(content, method.body.as_ref())?
    } else {
        match rest.statuses.get(&status.to_string())? {
            None => Members::new(),
            body => read_members(content, body.as_ref())?,
        }
    };
    if let Some(field) = &rest.status_output {
        members.insert(field.clone(), json!(status));
    }
    add_headers(&mut members, headers, &rest.response_headers)?;
    Some(members)
}

fn read_members(content: &[u8], body: Option<&String>) -> Option<Members> {
    match (body, parse(content)?) {
        (Some(name), value) => Some(Members::from_iter([(name.clone(), value)])),
        (None, Value::Object(members)) => Some(members),
        _ => None,
    }
}

/// Adds fields in headers. Returns `None` if one of them is no valid JSON.
pub(super) fn add_headers(
    members: &mut Members,
    headers: &Headers,
    given: &[ResponseHeader],
) -> Option<()> {
    for header in given {
        let read = |text: &str| match header.is_text {
            true => Some(json!(text)),
            false => parse(text.as_bytes()),
        };
        let value = match headers.get(&header.name).as_deref() {
            Some(text) if header.is_list && !text.is_empty() => {
                let items = text.split(',').map(|item| read(item.trim()));
                items.collect::<Option<Value>>()?
            }
            Some(text) if !header.is_list => read(text)?,
            _ if header.is_required => json!([]),
            _ => continue,
        };
        members.insert(header.field.clone(), value);
    }
    Some(())
}
