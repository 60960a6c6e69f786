//! Checks the limits of values.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use regex::Regex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::contract::{Kind, Rule};
use super::forms::text_of;
use super::json;
use super::unions::{find_variant, is_equal};
use super::values::Bigint;

type Check = Arc<dyn Fn(&str) -> bool + Send + Sync>;

static PATTERNS: RwLock<Option<HashMap<String, Check>>> = RwLock::new(None);

/// Sets the function that checks a pattern that regular expressions in Rust lack or find too large, e.g. one
/// with a lookahead. Errors name the pattern.
pub fn set_pattern(pattern: &str, check: impl Fn(&str) -> bool + Send + Sync + 'static) {
    let mut patterns = PATTERNS.write().unwrap_or_else(PoisonError::into_inner);
    let patterns = patterns.get_or_insert_default();
    patterns.insert(pattern.to_owned(), Arc::new(check));
}

const ROUNDED: &str = "an integer of more than 64 bits would be rounded";

/// Returns what violates the limits of a value whose types are right, without values that can be secret.
pub(super) fn find_faults(rule: &Rule, value: &Value) -> Option<String> {
    let mut checker = Checker::new(true);
    checker.visit(rule, value);
    let faults = checker.faults;
    (!faults.is_empty()).then(|| faults.join("; "))
}

/// Reads a value as a type. Errors: what violates its limits, or `None` if it is of another type.
pub(super) fn read_as<T: Serialize + DeserializeOwned>(
    rule: Option<&Rule>,
    mut value: Value,
    is_checked: bool,
) -> Result<T, Option<String>> {
    if let Some(rule) = rule {
        if !json::settle(rule, &mut value) {
            return Err(Some(ROUNDED.to_owned()));
        }
        if !has_objects(rule, &value) {
            return Err(None);
        }
    }
    read_settled(rule, value, is_checked)
}

/// Reads a value that was settled.
pub(super) fn read_settled<T: Serialize + DeserializeOwned>(
    rule: Option<&Rule>,
    value: Value,
    is_checked: bool,
) -> Result<T, Option<String>> {
    let read: T = json::read(value).ok_or(None)?;
    if let Some(rule) = rule.filter(|_| is_checked) {
        let value = json::to_json(&read).map_err(|error| Some(error.to_string()))?;
        find_faults(rule, &value).map_or(Ok(()), |faults| Err(Some(faults)))?;
    }
    Ok(read)
}

/// Whether structs are objects, as which the traits of serde also accept lists.
pub(super) fn has_objects(rule: &Rule, value: &Value) -> bool {
    let mut checker = Checker::new(false);
    checker.visit(rule, value);
    checker.faults.is_empty()
}

const MOST_FAULTS: usize = 20;

struct Checker {
    has_limits: bool,
    path: Vec<String>,
    /// The number of sensitive values around the current one.
    hidden: usize,
    faults: Vec<String>,
}

impl Checker {
    fn new(has_limits: bool) -> Self {
        Self {
            has_limits,
            path: Vec::new(),
            hidden: 0,
            faults: Vec::new(),
        }
    }

    fn fail(&mut self, fault: impl AsRef<str>) {
        if self.faults.len() < MOST_FAULTS {
            let fault = format!("{}: {}", self.path.concat(), fault.as_ref());
            self.faults
                .push(fault.trim_start_matches([':', ' ', '.']).to_owned());
        }
    }

    /// Visits a value at a place, which errors do not name if a sensitive value contains it.
    fn visit_at(&mut self, place: String, rule: &Rule, value: &Value) {
        let place = Some(place).filter(|_| self.hidden == 0);
        self.path.push(place.unwrap_or_default());
        self.hidden += usize::from(rule.sensitive);
        self.visit(rule, value);
        self.hidden -= usize::from(rule.sensitive);
        self.path.pop();
    }

    fn visit(&mut self, rule: &Rule, value: &Value) {
        if value.is_null() && rule.nullable {
            return;
        }
        if self.has_limits {
            self.check(rule, value);
        }
        match &rule.is {
            Kind::Other(name) => {
                if let Some(declared) = Rule::of_type(name) {
                    self.visit(declared, value);
                }
            }
            Kind::List => {
                let items = value.as_array().into_iter().flatten().enumerate();
                for (index, item) in items {
                    if let Some(rule) = &rule.of {
                        self.visit_at(format!("[{index}]"), rule, item);
                    }
                }
            }
            Kind::Map => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    self.visit_member(rule, name, member);
                }
            }
            Kind::Struct => self.visit_struct(rule, value),
            Kind::Union => match find_variant(rule, value).map(|index| rule.variants.get(index)) {
                Some(Some(variant)) => self.visit(variant, value),
                Some(None) => (),
                None => self.fail("expected one of the variants"),
            },
            Kind::Float32 => {
                // A conversion makes it infinite.
                let number = value.as_f64().unwrap_or_default();
                if (number as f32).is_infinite() {
                    self.fail("expected a float32");
                }
            }
            Kind::Any | Kind::Bytes | Kind::Int | Kind::Uint => (),
        }
    }

    fn visit_member(&mut self, map: &Rule, name: &str, member: &Value) {
        if let (Some(key), true) = (&map.key, self.has_limits) {
            self.visit_at(format!(".{name}"), key, &Value::String(name.to_owned()));
        }
        if let Some(rule) = &map.of {
            self.visit_at(format!(".{name}"), rule, member);
        }
    }

    fn visit_struct(&mut self, rule: &Rule, value: &Value) {
        let Some(members) = value.as_object() else {
            return self.fail("expected an object");
        };
        for field in &rule.fields {
            if field.extra {
                let members = members.iter();
                let extra = members.filter(|(name, _)| rule.field(name).is_none());
                let extra = extra.map(|(name, member)| (name.clone(), member.clone()));
                let extra = Value::Object(extra.collect());
                self.visit_at(String::new(), field, &extra);
            } else if let Some(member) = members.get(&field.name) {
                if !(field.optional && member.is_null()) {
                    self.visit_at(format!(".{}", field.name), field, member);
                }
            } else if !field.optional {
                self.fail(format!("{} is missing", field.name));
            }
        }
    }

    fn check(&mut self, rule: &Rule, value: &Value) {
        let is_safe = matches!(rule.is, Kind::Int | Kind::Uint);
        let safe = |limit| is_safe.then_some(limit);
        let minimum = rule.minimum.as_deref().or(safe("-9007199254740991"));
        let maximum = rule.maximum.as_deref().or(safe("9007199254740991"));
        if let Some(least) = minimum.filter(|least| order(value, least) == Some(Ordering::Less)) {
            self.fail(format!("expected at least {least}"));
        }
        if let Some(most) = maximum.filter(|most| order(value, most) == Some(Ordering::Greater)) {
            self.fail(format!("expected at most {most}"));
        }
        match value {
            Value::String(text) => self.check_text(rule, text),
            Value::Array(items) => {
                self.check_size(items.len(), rule.min_items, rule.max_items, "items");
                let mut seen = HashSet::new();
                if rule.unique_items && !items.iter().all(|item| seen.insert(item.to_string())) {
                    self.fail("expected different items");
                }
            }
            Value::Object(members) => {
                let (least, most) = (rule.min_properties, rule.max_properties);
                self.check_size(members.len(), least, most, "members");
            }
            _ => (),
        }
        if let Some(listed) = &rule.listed {
            // Keys of maps are text.
            let is_same = |each: &Value| {
                is_equal(each, value) || value.as_str().is_some_and(|text| text_of(each) == text)
            };
            if !listed.iter().any(is_same) {
                self.fail("expected one of the listed values");
            }
        }
    }

    fn check_text(&mut self, rule: &Rule, text: &str) {
        // The text of bytes has four characters for three bytes.
        let padding = text.bytes().rev().take_while(|each| *each == b'=').count();
        let bytes = (text.len() / 4 * 3).saturating_sub(padding);
        self.check_size(bytes, rule.min_items, rule.max_items, "bytes");
        if rule.min_length.or(rule.max_length).is_some() {
            let length = text.chars().count();
            self.check_size(length, rule.min_length, rule.max_length, "characters");
        }
        let is_accepted = |pattern: &String| {
            let patterns = PATTERNS.read().unwrap_or_else(PoisonError::into_inner);
            let check = patterns.as_ref().and_then(|all| all.get(pattern)).cloned();
            drop(patterns);
            check.map(|check| check(text))
        };
        let is_match = |pattern: &String| {
            let regex = rule.regex.get_or_init(|| Regex::new(pattern).ok());
            let is_match = regex.as_ref().map(|regex| regex.is_match(text));
            is_match.or_else(|| is_accepted(pattern))
        };
        let own = rule.pattern.iter().map(|each| (each, is_match(each)));
        let hooks = rule.hook.iter().map(|each| (each, is_accepted(each)));
        for (pattern, is_right) in own.chain(hooks) {
            match is_right {
                Some(true) => (),
                Some(false) => self.fail(format!("expected a text that matches {pattern}")),
                None => self.fail(format!("`set_pattern` has set no check for {pattern}")),
            }
        }
        if rule.format.as_deref() == Some("uri") && !is_url(text) {
            self.fail("expected an http or https URL");
        }
    }

    fn check_size(&mut self, size: usize, least: Option<f64>, most: Option<f64>, what: &str) {
        let size = size as f64;
        if let Some(least) = least.filter(|least| size < *least) {
            self.fail(format!("expected at least {least} {what}"));
        }
        if let Some(most) = most.filter(|most| size > *most) {
            self.fail(format!("expected at most {most} {what}"));
        }
    }
}

/// Compares a number, which is text if it is a bigint or a key, with a limit.
fn order(value: &Value, limit: &str) -> Option<Ordering> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    match (text.parse::<Bigint>(), limit.parse::<Bigint>()) {
        (Ok(value), Ok(limit)) => Some(value.cmp(&limit)),
        _ => {
            let limit: f64 = limit.parse().ok()?;
            text.parse::<f64>().ok()?.partial_cmp(&limit)
        }
    }
}

/// Whether a text is an http or https URL of the characters that RFC 3986 allows.
fn is_url(text: &str) -> bool {
    static URL: std::sync::OnceLock<Option<Regex>> = std::sync::OnceLock::new();
    let regex = URL.get_or_init(|| {
        Regex::new(concat!(
            r"(?i)^https?://(?:(?:[!$&-.0-;=A-Z_a-z~]|%[0-9a-f]{2})*@)?",
            r"(?:\[[0-9a-f:.]+\]|(?:[!$&-.0-9;=A-Z_a-z~]|%[0-9a-f]{2})+)(?::[0-9]*)?",
            r"(?:[/?](?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?(?:#(?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?$"
        ))
        .ok()
    });
    regex.as_ref().is_some_and(|regex| regex.is_match(text))
}
