//! Reads errors whose body is a struct of the contract, in place of webrpc's envelope.

use serde_json::Value;

use super::contract::{CONTRACT, Declared, Method, Part, Rule};
use super::errors::{BUILT_IN, Error, Failure, code_of, merged};
use super::json::{Fit, settle, text_of};
use super::transport::Headers;

/// Reads an error of a method. Returns `None` if the body is no object, and the status does not tell the error.
///
/// If messages of the method have no secrets, the text in the body is the message of an error that has none.
pub(super) fn read_error_body(
    usual: &'static Declared,
    method: &Method,
    body: &Value,
    status: u16,
    headers: &Headers,
) -> Option<Error> {
    let own: Vec<&Declared> = match &method.errors {
        Some(names) => names.iter().filter_map(Declared::named).collect(),
        None => CONTRACT.errors.iter().collect(),
    };
    let found = find_error(usual, &own, body, status, headers);
    if found.is_none() && !body.is_object() {
        return None;
    }
    let shape = found.filter(|error| error.data.is_some()).unwrap_or(usual);
    let own_parts = Some(&shape.parts).filter(|_| shape.data != usual.data);
    let part = |role: &str| {
        let mut parts = own_parts.unwrap_or(&usual.parts).iter().rev();
        parts.find(|part| part.role == role)?.find(body)
    };
    let text_at = |role: &str| part(role).and_then(Value::as_str).map(str::to_owned);
    let text = Some(find_text(body, 3));
    let text = text.filter(|text| !method.is_sensitive && !text.is_empty());
    let name = found.map(|error| error.name.clone());
    let told = text_at("message").or(text).or(name.clone());
    let failure = Failure {
        name: name.unwrap_or_else(|| "WebrpcEndpoint".to_owned()),
        code: match found {
            Some(error) => error.code,
            None => part("code").and_then(code_of).unwrap_or(0),
        },
        status,
        message: told.unwrap_or_else(|| status.to_string()),
        cause: text_at("cause"),
        data: Some(merged(body, headers, &shape.headers)),
        ..Failure::default()
    };
    Some(Error::new(
        failure,
        shape.data.as_deref().and_then(Rule::of_type),
    ))
}

/// Returns the error that a body or a status tells, or `None` if it is unknown.
fn find_error(
    usual: &Declared,
    own: &[&'static Declared],
    body: &Value,
    status: u16,
    headers: &Headers,
) -> Option<&'static Declared> {
    let all = || BUILT_IN.iter().chain(own.iter().copied());
    let is_named = |error: &&Declared| error.parts.iter().any(|part| part.is_of(error, body));
    let mut parts = usual.parts.iter();
    let named = parts.find_map(|part| all().find(|error| part.is_of(error, body)));
    if let Some(error) = named.or_else(|| own.iter().copied().find(is_named)) {
        return Some(error);
    }
    // The usual body fits every error.
    let has_data = |error: &Declared| {
        let data = error.data.as_deref().filter(|_| error.data != usual.data);
        let mut given = merged(body, headers, &error.headers);
        let fit = data
            .and_then(Rule::of_type)
            .map(|rule| settle(rule, &mut given));
        fit.is_some_and(|fit| fit != Fit::Wrong)
    };
    let only = |is_it: &dyn Fn(&Declared) -> bool| -> Vec<&'static Declared> {
        own.iter().copied().filter(|error| is_it(error)).collect()
    };
    let mut known = only(&|error| error.status == status && !error.has_any_status);
    if known.is_empty() {
        known = only(&|error| error.has_any_status && has_data(error));
    }
    match known[..] {
        [error] => Some(error),
        _ => None,
    }
}

impl Part {
    /// Returns the value of the part in a body.
    fn find<'a>(&self, body: &'a Value) -> Option<&'a Value> {
        let found = self.path.iter().try_fold(body, |inner, key| match inner {
            Value::Object(members) => members.get(&text_of(key)),
            Value::Array(items) => items.first().filter(|_| *key == 0),
            _ => None,
        });
        found.filter(|value| !value.is_null())
    }

    /// Whether this part of a body contains the name or the code of an error.
    fn is_of(&self, error: &Declared, body: &Value) -> bool {
        let wanted = match &self.names {
            Some(names) if self.is_open => names.get(&error.name).or(Some(&error.name)),
            Some(names) => names.get(&error.name),
            None => Some(&error.name),
        };
        let found = self.find(body);
        found.is_some_and(|value| match self.role.as_str() {
            "name" => wanted.is_some_and(|wanted| value.as_str() == Some(wanted)),
            "code" => code_of(value) == Some(error.code),
            _ => false,
        })
    }
}

/// The members of a body that usually contain a text for people, best first.
const TEXTS: [&str; 6] = ["message", "detail", "msg", "error", "errors", "title"];

/// Returns the text for people in the body of an error, or an empty text.
fn find_text(value: &Value, depth: u32) -> String {
    let text = match value {
        // A page is not a message.
        Value::String(text) if text.trim().starts_with('<') => String::new(),
        Value::String(text) => text.trim().to_owned(),
        Value::Object(members) if depth > 0 => {
            let texts = TEXTS.iter().filter_map(|name| members.get(*name));
            let mut texts = texts.map(|member| find_text(member, depth - 1));
            texts.find(|text| !text.is_empty()).unwrap_or_default()
        }
        Value::Array(items) if depth > 0 => {
            let texts = items.iter().take(9).map(|item| find_text(item, depth - 1));
            let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
            texts.join("; ")
        }
        _ => String::new(),
    };
    text.chars().take(500).collect()
}
