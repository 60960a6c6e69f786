//! Requests and responses with a verb, a path, a query, headers or a form of their own.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::contract::{Method, ResponseHeader, Rest, Rule};
use super::files::{File, FileOf};
use super::forms::{check_names, form_pairs, multipart, text_of};
use super::json;
use super::transport::{Body, Headers};

type Members = Map<String, Value>;

/// What a request consists of.
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
        let mut message = Self {
            verb: "POST".to_owned(),
            members,
            query: String::new(),
            headers: BTreeMap::new(),
            media_type: None,
            body: None,
        };
        match &method.rest {
            Some(rest) => message.place(method, rest, files)?,
            None => {
                let members = std::mem::take(&mut message.members);
                let text = Value::Object(members).to_string();
                if method.has_files {
                    message.set_file(&multipart(&[("json".to_owned(), text)], "", files)?)?;
                } else {
                    message.set_text("application/json", text);
                }
            }
        }
        Ok(message)
    }

    fn place(&mut self, method: &Method, rest: &Rest, files: &[FileOf]) -> Result<(), String> {
        self.verb.clone_from(&rest.verb);
        self.query = query_of(rest, &self.members)?;
        for slot in &rest.headers {
            let field = slot.field.as_ref();
            let value = field.and_then(|field| self.members.get(field));
            if let Some(value) = value.filter(|value| !is_absent(value)) {
                let text = header_of(&slot.name, value)?;
                self.headers.insert(slot.name.to_ascii_lowercase(), text);
            }
        }
        let content = self.content_of(method, rest);
        let media_type = rest.media_type.as_deref().unwrap_or("application/json");
        match (&rest.form, content) {
            (Some(mark), content) => {
                let pairs = form_pairs(&content.unwrap_or_default(), mark, "")?;
                if method.has_files {
                    check_names(&pairs)?;
                    if !(pairs.is_empty() && files.is_empty()) {
                        self.set_file(&multipart(&pairs, mark, files)?)?;
                    }
                } else if !pairs.is_empty() {
                    let encoded = |(name, text): &(String, String)| {
                        format!("{}={}", encode(name), encode(text))
                    };
                    let text = pairs.iter().map(encoded).collect::<Vec<_>>().join("&");
                    self.set_text("application/x-www-form-urlencoded", text);
                }
            }
            (None, _) if method.has_files => {
                if let Some((_, _, file)) = files.first() {
                    self.set_file(file)?;
                }
            }
            (None, Some(content)) => self.set_text(media_type, content.to_string()),
            (None, None) => (),
        }
        if self.body.is_none() && !matches!(self.verb.as_str(), "GET" | "HEAD" | "DELETE") {
            // Some servers respond with 411 to other requests without it.
            let length = "0".to_owned();
            self.headers.insert("content-length".to_owned(), length);
        }
        Ok(())
    }

    fn set_text(&mut self, media_type: &str, text: String) {
        self.media_type = Some(media_type.to_owned());
        self.body = Some(Body::Whole(text.into()));
    }

    fn set_file(&mut self, file: &File) -> Result<(), String> {
        self.media_type = Some(file.media_type()?.to_owned());
        let length = file.length.to_string();
        self.headers.insert("content-length".to_owned(), length);
        self.body = Some(Body::Parts(file.open.clone()));
        Ok(())
    }

    /// Returns the value that is the body, or nothing if there is none.
    fn content_of(&self, method: &Method, rest: &Rest) -> Option<Value> {
        if let Some(field) = &rest.request_body {
            return self.members.get(field).cloned();
        }
        let slots = rest.query.iter().chain(&rest.headers);
        let bound: HashSet<&str> = slots
            .filter_map(|slot| slot.field.as_deref())
            .chain(names_in(&method.path))
            .collect();
        let is_free = |name: &String| !bound.contains(name.as_str());
        let members = self.members.iter().filter(|(name, _)| is_free(name));
        let members: Members = members
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        rest.has_body.then_some(Value::Object(members))
    }
}

fn is_absent(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn query_of(rest: &Rest, members: &Members) -> Result<String, String> {
    let mut query = String::new();
    for slot in &rest.query {
        let texts = match &slot.field {
            None => vec![encode(&slot.value)],
            Some(field) => {
                let items = members.get(field).map(texts_of).unwrap_or_default();
                let texts: Vec<String> = items.iter().map(|text| encode(text)).collect();
                if slot.is_joined && !texts.is_empty() {
                    check_commas("parameter", &slot.name, &items)?;
                    vec![texts.join(",")]
                } else {
                    texts
                }
            }
        };
        for text in texts {
            let mark = if query.is_empty() { '?' } else { '&' };
            query.push_str(&format!("{mark}{}={text}", encode(&slot.name)));
        }
    }
    Ok(query)
}

/// Returns the texts of a value, or of the items of a list, in an address or a header.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.iter().map(text_of).collect(),
        other => vec![text_of(other)],
    }
}

/// Refuses items with commas, because servers also split lists at encoded ones.
fn check_commas(what: &str, name: &str, items: &[String]) -> Result<(), String> {
    if items.iter().any(|item| item.contains(',')) {
        return Err(format!("{what} {name} has items with commas"));
    }
    Ok(())
}

/// Returns the text of a header. Errors do not quote it, because it can be secret.
fn header_of(name: &str, value: &Value) -> Result<String, String> {
    let items = texts_of(value);
    if value.is_array() {
        check_commas("header", name, &items)?;
    } else if items == [""] {
        // An empty item of a list would be an empty list.
        return Ok(String::new());
    }
    let is_valid = |item: &String| !item.is_empty() && item.trim() == item && is_printable(item);
    match items.iter().all(is_valid) {
        true => Ok(items.join(",")),
        false => Err(odd_header(name)),
    }
}

pub(super) fn odd_header(name: &str) -> String {
    format!("header {name} contains characters that are not allowed")
}

pub(super) fn is_printable(text: &str) -> bool {
    text.bytes().all(|each| matches!(each, b' '..=b'~'))
}

/// Encodes a text in an address.
pub(super) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~!*'()".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
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
        let value = value_of(name).unwrap_or(&Value::Null);
        let texts = texts_of(value);
        if value.is_array() {
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
    let mut body = method.body.as_ref();
    let mut members = Members::new();
    if let (Some(rest), Some(headers)) = (&method.rest, headers) {
        let rule = method.response.as_deref().and_then(Rule::of_type);
        let fields = rule.map_or(0, |rule| rule.fields.len());
        let mut is_empty = fields == rest.response_headers.len();
        // Without outputs, the status is ignored.
        if !rest.statuses.is_empty() && !is_empty {
            body = rest.statuses.get(&status.to_string())?.as_ref();
            is_empty = body.is_none();
        }
        if !is_empty {
            members = read_members(content, body)?;
        }
        if let Some(field) = &rest.status_output {
            members.insert(field.clone(), json!(status));
        }
        add_headers(&mut members, headers, &rest.response_headers)?;
        return Some(members);
    }
    read_members(content, body)
}

fn read_members(content: &[u8], body: Option<&String>) -> Option<Members> {
    let value = json::parse(content)?;
    match (body, value) {
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
            true => Some(json::mark(text)),
            false => json::parse(text.as_bytes()),
        };
        let value = match headers.get(&header.name).as_deref() {
            Some(text) if header.is_list && !text.is_empty() => text
                .split(',')
                .map(|item| read(item.trim()))
                .collect::<Option<Value>>()?,
            Some(text) if !header.is_list => read(text)?,
            _ if header.is_required => json!([]),
            _ => continue,
        };
        members.insert(header.field.clone(), value);
    }
    Some(())
}
