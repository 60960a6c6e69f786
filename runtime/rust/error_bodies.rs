//! Reads errors whose body is a struct of the contract, in place of webrpc's envelope.

use serde_json::Value;

use super::check::has_objects;
use super::contract::{Declared, ErrorBody, Method, Part, Rule, contract};
use super::errors::{BUILT_IN, Error, code_of, merged};
use super::json;
use super::transport::Headers;

type Known<'a> = (&'a str, i32, Option<&'a Declared>);

/// Reads an error of a method. Returns `None` if the body is no object, and the status does not tell the error.
///
/// If messages of the method have no secrets, the text in the body is the message of an error that has none.
pub(super) fn read_error_body(
    usual: &ErrorBody,
    method: &Method,
    body: &Value,
    status: u16,
    headers: &Headers,
) -> Option<Error> {
    let errors = &contract().errors;
    let is_listed = |name: &String| method.errors.as_ref().is_none_or(|all| all.contains(name));
    let mut own: Vec<Known> = errors
        .iter()
        .filter(|(name, _)| is_listed(name))
        .map(|(name, error)| (name.as_str(), error.code, Some(error)))
        .collect();
    // Maps have no order, and the first of several errors counts.
    own.sort_by_key(|(name, ..)| {
        method
            .errors
            .as_ref()
            .and_then(|all| all.iter().position(|each| each == name))
    });
    let named = find_name(usual, body, status, &own, headers);
    if named.is_none() && !body.is_object() {
        return None;
    }
    let name = named.unwrap_or("WebrpcEndpoint");
    let declared = errors
        .get(name)
        .filter(|_| own.iter().any(|(each, ..)| *each == name));
    let data = declared.and_then(|error| error.data.as_deref());
    let parts = match declared {
        Some(error) if data.is_some_and(|data| data != usual.data) => &error.parts,
        _ => &usual.parts,
    };
    let part = |role: &str| {
        let mut parts = parts.iter().rev().filter(|part| part.role == role);
        parts.next().and_then(|part| find(part, body))
    };
    let message = part("message").and_then(json::text_in).map(str::to_owned);
    let own_text =
        || Some(find_text(body, 3)).filter(|text| !method.is_sensitive && !text.is_empty());
    let message = message
        .or_else(own_text)
        .unwrap_or_else(|| named.map_or_else(|| status.to_string(), str::to_owned));
    let code = match (named, declared) {
        (None, _) => part("code").and_then(code_of).unwrap_or(0),
        (_, Some(error)) => error.code,
        _ => -(BUILT_IN.iter().position(|each| *each == name).unwrap_or(0) as i32),
    };
    let given = declared
        .filter(|_| data.is_some())
        .map_or(&usual.headers, |error| &error.headers);
    let error = Error::new(name, code, status, &message).with_data(
        Some(merged(body, headers, given)),
        data.or(Some(&usual.data)),
    );
    Some(match part("cause").and_then(json::text_in) {
        Some(cause) => error.with_cause(cause),
        None => error,
    })
}

/// Returns the name of the error in a body, or `None` if it is unknown.
fn find_name<'a>(
    usual: &ErrorBody,
    body: &Value,
    status: u16,
    own: &[Known<'a>],
    headers: &Headers,
) -> Option<&'a str> {
    let built_in = BUILT_IN
        .iter()
        .zip(0..)
        .map(|(name, index)| (*name, -index, None));
    let all: Vec<Known> = built_in.chain(own.iter().copied()).collect();
    if let Some(name) = named(body, &usual.parts, &all) {
        return Some(name);
    }
    for (name, code, declared) in own {
        let parts = declared.map_or(&[][..], |error| &error.parts);
        if named(body, parts, &[(*name, *code, *declared)]).is_some() {
            return Some(name);
        }
    }
    let has_data = |error: &Declared| {
        let rule = error
            .data
            .as_deref()
            .filter(|data| *data != usual.data)
            .and_then(Rule::of_type);
        rule.is_some_and(|rule| {
            let mut data = merged(body, headers, &error.headers);
            let _ = json::settle(rule, &mut data);
            has_objects(rule, &data)
        })
    };
    let only = |is_it: &dyn Fn(&Declared) -> bool| -> Vec<&'a str> {
        let found = own.iter().filter(|(_, _, error)| error.is_some_and(is_it));
        found.map(|(name, ..)| *name).collect()
    };
    let mut known = only(&|error| error.status == status && !error.has_any_status);
    if known.is_empty() {
        // The usual body fits every error.
        known = only(&|error| error.has_any_status && has_data(error));
    }
    match known[..] {
        [name] => Some(name),
        _ => None,
    }
}

/// Returns the value of a part in a body.
fn find<'a>(part: &Part, body: &'a Value) -> Option<&'a Value> {
    let found = part
        .path
        .iter()
        .try_fold(body, |inner, key| match (inner, key) {
            (Value::Object(members), Value::String(name)) => members.get(name),
            (Value::Object(members), key) => members.get(&key.to_string()),
            (Value::Array(items), Value::Number(index)) if index.as_i64() == Some(0) => {
                items.first()
            }
            _ => None,
        });
    found.filter(|value| !value.is_null())
}

/// Returns which of some errors a body contains the name or the code of.
fn named<'a>(body: &Value, parts: &[Part], errors: &[Known<'a>]) -> Option<&'a str> {
    for part in parts {
        let Some(value) = find(part, body) else {
            continue;
        };
        for (name, code, _) in errors {
            let wanted = match &part.names {
                None => Some(*name),
                Some(names) => match names.get(*name) {
                    Some(own) => Some(own.as_str()),
                    None if part.is_open => Some(*name),
                    None => None,
                },
            };
            let is_name = part.role == "name" && wanted.is_some() && json::text_in(value) == wanted;
            if is_name || (part.role == "code" && code_of(value) == Some(*code)) {
                return Some(name);
            }
        }
    }
    None
}

/// Returns the text for people in the body of an error, or an empty text.
fn find_text(value: &Value, depth: u32) -> String {
    match value {
        Value::String(_) => {
            let text = json::text_in(value).unwrap_or_default().trim();
            let is_page = text.starts_with('<');
            text.chars().filter(|_| !is_page).take(500).collect()
        }
        Value::Object(members) if depth > 0 => {
            let usual = ["message", "detail", "msg", "error", "errors", "title"];
            let mut texts = usual.iter().filter_map(|name| members.get(*name));
            let found = texts.find_map(|member| {
                Some(find_text(member, depth - 1)).filter(|text| !text.is_empty())
            });
            found.unwrap_or_default()
        }
        Value::Array(items) if depth > 0 => {
            let texts = items.iter().take(9).map(|item| find_text(item, depth - 1));
            let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
            texts.join("; ").chars().take(500).collect()
        }
        _ => String::new(),
    }
}
