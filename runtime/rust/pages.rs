//! Pages of lists.

use std::collections::HashSet;
use std::sync::LazyLock;

use futures_util::stream::try_unfold;
use regex::Regex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::client::Client;
use super::contract::Paging;
use super::errors::Error;
use super::json::to_json;
use super::streams::Items;

impl Client {
    /// Calls a method for one page after the other, each when it is read.
    pub fn pages<T>(&self, name: &'static str, request: &impl Serialize) -> Items<T>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
    {
        let client = self.clone();
        let request = client.members(name, request).map(Some);
        let state = (client, request, HashSet::new());
        Items::new(try_unfold(
            state,
            move |(client, request, mut read)| async move {
                let (Some(mut request), Some(paging)) = (request?, &client.method(name).paging)
                else {
                    return Ok(None);
                };
                let page: T = client.call(name, &request).await?;
                let asked = page_of(paging, &mut request);
                read.insert(key_of(paging, asked));
                let answered = to_json(&page).unwrap_or_default();
                let answered = answered.get(&paging.answered).cloned();
                let request = match next_page(paging, answered.unwrap_or_default(), asked)? {
                    None => Ok(None),
                    Some(next) if read.contains(&key_of(paging, &next)) => {
                        Err(bad("the next page was already read"))
                    }
                    Some(next) => {
                        *asked = next;
                        Ok(Some(request))
                    }
                };
                Ok(Some((page, (client, request, read))))
            },
        ))
    }
}

fn bad(cause: &str) -> Error {
    Error::bad_response(cause, 200)
}

/// Returns the page that a request asks for, which is null for the first one.
fn page_of<'a>(paging: &Paging, request: &'a mut Map<String, Value>) -> &'a mut Value {
    match &paging.holder {
        None => request.entry(&paging.asked).or_insert(Value::Null),
        Some(holder) => &mut request.entry(holder).or_insert(Value::Null)[&paging.asked],
    }
}

/// Returns the token or the number of a page.
fn key_of(paging: &Paging, page: &Value) -> String {
    match &paging.numbered {
        None => page.to_string(),
        Some((number, _)) => page.get(number).unwrap_or(&Value::Null).to_string(),
    }
}

/// Returns the page after a response. Errors: a link that cannot be read.
fn next_page(paging: &Paging, answered: Value, asked: &Value) -> Result<Option<Value>, Error> {
    if let Some((parameter, is_number)) = &paging.linked {
        let links = answered.as_str().unwrap_or_default();
        return next_in_links(links, parameter, *is_number);
    }
    let Some((number, more)) = &paging.numbered else {
        let is_last = answered.as_str().is_none_or(str::is_empty);
        return Ok((!is_last).then_some(answered));
    };
    if answered.get(more) != Some(&Value::Bool(true)) {
        return Ok(None);
    }
    let number_of = |page: &Value| page.get(number).and_then(Value::as_i64);
    let current = number_of(&answered).or_else(|| number_of(asked));
    let next_number = current.unwrap_or(1).checked_add(1);
    let next_number = next_number.ok_or_else(|| bad("the number of the page is too large"))?;
    let mut next = answered;
    for (name, value) in asked.as_object().into_iter().flatten() {
        next[name] = value.clone();
    }
    next[number] = json!(next_number);
    Ok(Some(next))
}

/// Links in a header, each with its parameters.
static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("<([^<>]*)>([^<]*)").expect("the pattern is valid"));
static RELATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i);\s*rel\s*=\s*("[^"]*"|[^\s;,]+)"#).expect("the pattern is valid")
});

/// Finds the link to the next page (RFC 8288, section 3).
fn next_in_links(links: &str, parameter: &str, is_number: bool) -> Result<Option<Value>, Error> {
    let is_next = |parameters: &str| {
        RELATION.captures(parameters).is_some_and(|found| {
            let names = found[1].trim_matches('"').to_lowercase();
            names.split(' ').any(|name| name == "next")
        })
    };
    let Some(found) = LINK.captures_iter(links).find(|found| is_next(&found[2])) else {
        return Ok(None);
    };
    let address = found[1].split('#').next().unwrap_or_default();
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let text = pairs.find(|(name, _)| name == parameter);
    let page = text.and_then(|(_, text)| match text.parse::<u64>() {
        _ if !is_number => Some(json!(text)),
        Ok(number) if text.len() < 16 => Some(json!(number)),
        _ => None,
    });
    let invalid = || {
        bad(&format!(
            "the link to the next page has no valid {parameter}"
        ))
    };
    page.map(Some).ok_or_else(invalid)
}
