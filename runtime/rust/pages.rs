//! Pages of lists.

use std::collections::HashSet;

use futures_util::stream::try_unfold;
use regex::Regex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::client::Client;
use super::contract::{Linked, Paging};
use super::errors::{Error, Reason};
use super::files::decoded;
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
                let answered = to_json(&page)
                    .ok()
                    .and_then(|page| page.get(&paging.answered).cloned());
                let next = next_page(paging, answered.unwrap_or_default(), asked)?;
                let request = match next {
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
    Error::transport(Reason::BadResponse, cause, 200)
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
        Some(numbered) => page.get(&numbered.page).unwrap_or(&Value::Null).to_string(),
    }
}

/// Returns the page after a response. Errors: a link that cannot be read.
fn next_page(paging: &Paging, answered: Value, asked: &Value) -> Result<Option<Value>, Error> {
    if let Some(linked) = &paging.linked {
        return next_in_links(answered.as_str().unwrap_or_default(), linked);
    }
    let Some(numbered) = &paging.numbered else {
        let is_last = answered.as_str().is_none_or(str::is_empty);
        return Ok((!is_last).then_some(answered));
    };
    if answered.get(&numbered.more) != Some(&Value::Bool(true)) {
        return Ok(None);
    }
    let number = |page: &Value| page.get(&numbered.page).and_then(Value::as_i64);
    let current = number(&answered).or_else(|| number(asked)).unwrap_or(1);
    let mut next = answered;
    for (name, value) in asked.as_object().into_iter().flatten() {
        next[name] = value.clone();
    }
    let number = current
        .checked_add(1)
        .ok_or_else(|| bad("the number of the page is too large"))?;
    next[&numbered.page] = json!(number);
    Ok(Some(next))
}

/// Finds the link to the next page (RFC 8288, section 3).
fn next_in_links(links: &str, linked: &Linked) -> Result<Option<Value>, Error> {
    let link = Regex::new("<([^<>]*)>([^<]*)");
    let relation = Regex::new(r#"(?i);\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))"#);
    let (Ok(link), Ok(relation)) = (link, relation) else {
        return Ok(None);
    };
    for found in link.captures_iter(links) {
        let named = relation.captures(&found[2]);
        let named = named.and_then(|named| {
            named
                .get(1)
                .or(named.get(2))
                .map(|text| text.as_str().to_lowercase())
        });
        if !named.is_some_and(|named| named.split(' ').any(|each| each == "next")) {
            continue;
        }
        let address = found[1].split('#').next().unwrap_or_default();
        let query = address.split_once('?').map_or("", |(_, query)| query);
        let mut pairs = query
            .split('&')
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let plain = |text: &str| decoded(&text.replace('+', " "));
        let text = pairs
            .find(|(name, _)| plain(name) == linked.parameter)
            .map(|(_, text)| plain(text));
        let is_number = |text: &String| text.len() < 16 && text.parse::<u64>().is_ok();
        return match text.filter(|text| !linked.is_number || is_number(text)) {
            Some(text) if linked.is_number => Ok(text.parse::<u64>().ok().map(Value::from)),
            Some(text) => Ok(Some(Value::String(text))),
            None => Err(bad(&format!(
                "the link to the next page has no valid {}",
                linked.parameter
            ))),
        };
    }
    Ok(None)
}
