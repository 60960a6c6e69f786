//! Checks the limits of values.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use regex::Regex;
use serde_json::Value;

use super::contract::{Kind, Limit, Rule};
use super::json::text_of;
use super::unions::{find_variant, is_equal};
use super::values::Bigint;

type Check = Arc<dyn Fn(&str) -> bool + Send + Sync>;

static PATTERNS: LazyLock<RwLock<HashMap<String, Check>>> = LazyLock::new(RwLock::default);

/// Sets the function that checks a pattern that regular expressions in Rust lack or find too large, e.g. one
/// with a lookahead. Errors name the pattern.
pub fn set_pattern(pattern: &str, check: impl Fn(&str) -> bool + Send + Sync + 'static) {
    let mut patterns = PATTERNS.write().unwrap_or_else(PoisonError::into_inner);
    patterns.insert(pattern.to_owned(), Arc::new(check));
}

/// Whether the function that the program has set accepts a text.
fn is_accepted(pattern: &str, text: &str) -> Result<bool, String> {
    let patterns = PATTERNS.read().unwrap_or_else(PoisonError::into_inner);
    let check = patterns.get(pattern).cloned();
    drop(patterns);
    let check = check.ok_or_else(|| format!("`set_pattern` has set no check for {pattern}"))?;
    Ok(check(text))
}

/// Returns what violates the limits of a value whose types are right, without values that can be secret.
pub(super) fn find_faults(rule: &Rule, value: &Value) -> Option<String> {
    let mut checker = Checker::default();
    checker.visit(rule, value);
    let faults = checker.faults;
    (!faults.is_empty()).then(|| faults.join("; "))
}

const MOST_FAULTS: usize = 20;

#[derive(Default)]
struct Checker {
    path: Vec<String>,
    /// The number of sensitive values around the current one.
    hidden: usize,
    faults: Vec<String>,
}

impl Checker {
    fn fail(&mut self, fault: &str) {
        if self.faults.len() < MOST_FAULTS {
            let fault = format!("{}: {fault}", self.path.concat());
            let fault = fault.trim_start_matches([':', ' ', '.']);
            self.faults.push(fault.to_owned());
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
        self.check(rule, value);
        match (&rule.is, value) {
            (Kind::Other(name), _) => {
                if let Some(declared) = Rule::of_type(name) {
                    self.visit(declared, value);
                }
            }
            (Kind::List, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.visit_inner(format!("[{index}]"), rule.of.as_deref(), item);
                }
            }
            (Kind::Map, Value::Object(members)) => {
                for (name, member) in members {
                    let key = Value::String(name.clone());
                    self.visit_inner(format!(".{name}"), rule.key.as_deref(), &key);
                    self.visit_inner(format!(".{name}"), rule.of.as_deref(), member);
                }
            }
            (Kind::Struct, Value::Object(members)) => {
                // Requests for the next page are no values of Rust's types.
                let is_missing = |field: &&Rule| {
                    !field.optional && !field.extra && !members.contains_key(&field.name)
                };
                for field in rule.fields.iter().filter(is_missing) {
                    self.fail(&format!("{} is missing", field.name));
                }
                for (name, member) in members {
                    let field = rule.field(name);
                    let field = field.filter(|field| !(field.optional && member.is_null()));
                    self.visit_inner(format!(".{name}"), field, member);
                }
                if let Some(extra) = rule.fields.iter().find(|field| field.extra) {
                    let is_other = |(name, _): &(&String, &Value)| rule.field(name).is_none();
                    let others = members.iter().filter(is_other);
                    let others = others
                        .map(|(name, other)| (name.clone(), other.clone()))
                        .collect();
                    self.visit_at(String::new(), extra, &Value::Object(others));
                }
            }
            (Kind::Union, _) => match find_variant(rule, value) {
                Some(index) => self.visit_inner(String::new(), rule.variants.get(index), value),
                None => self.fail("expected one of the variants"),
            },
            _ => (),
        }
    }

    fn visit_inner(&mut self, place: String, rule: Option<&Rule>, value: &Value) {
        if let Some(rule) = rule {
            self.visit_at(place, rule, value);
        }
    }

    fn check(&mut self, rule: &Rule, value: &Value) {
        let is_int = matches!(rule.is, Kind::Int | Kind::Uint);
        let safe = SAFE.iter().filter(|_| is_int);
        let limits = safe.chain(&rule.limits);
        for limit in limits {
            match limit.accepts(value) {
                Ok(true) => (),
                Ok(false) => self.fail(&format!("expected {limit}")),
                Err(fault) => self.fail(&fault),
            }
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
}

/// The limits of numbers that are exact in all languages.
static SAFE: LazyLock<[Limit; 2]> = LazyLock::new(|| {
    let most = "9007199254740991".to_owned();
    [Limit::Minimum(format!("-{most}")), Limit::Maximum(most)]
});

impl Limit {
    /// Whether a value is within the limit. Errors: why that cannot be checked.
    fn accepts(&self, value: &Value) -> Result<bool, String> {
        let text = value.as_str().unwrap_or_default();
        Ok(match self {
            Self::Minimum(least) => order(value, least) != Some(Ordering::Less),
            Self::Maximum(most) => order(value, most) != Some(Ordering::Greater),
            Self::MinLength(least) => text.chars().count() as f64 >= *least,
            Self::MaxLength(most) => text.chars().count() as f64 <= *most,
            Self::MinItems(least) | Self::MinProperties(least) => size_of(value) >= *least,
            Self::MaxItems(most) | Self::MaxProperties(most) => size_of(value) <= *most,
            Self::UniqueItems(is_set) => {
                let mut seen = HashSet::new();
                let mut items = value.as_array().into_iter().flatten();
                !is_set || items.all(|item| seen.insert(item.to_string()))
            }
            Self::Pattern {
                text: pattern,
                regex,
            } => match regex.get_or_init(|| Regex::new(pattern).ok()) {
                Some(regex) => regex.is_match(text),
                None => is_accepted(pattern, text)?,
            },
            Self::Hook(pattern) => is_accepted(pattern, text)?,
            Self::Format(format) => format != "uri" || URL.is_match(text),
        })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Minimum(least) => write!(to, "at least {least}"),
            Self::Maximum(most) => write!(to, "at most {most}"),
            Self::MinLength(least) => write!(to, "at least {least} characters"),
            Self::MaxLength(most) => write!(to, "at most {most} characters"),
            Self::MinItems(least) => write!(to, "at least {least} items"),
            Self::MaxItems(most) => write!(to, "at most {most} items"),
            Self::MinProperties(least) => write!(to, "at least {least} members"),
            Self::MaxProperties(most) => write!(to, "at most {most} members"),
            Self::UniqueItems(_) => write!(to, "different items"),
            Self::Pattern { text, .. } | Self::Hook(text) => {
                write!(to, "a text that matches {text}")
            }
            Self::Format(_) => write!(to, "an http or https URL"),
        }
    }
}

/// Returns the number of items, members or bytes.
fn size_of(value: &Value) -> f64 {
    let size = match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        // The text of bytes has four characters for three bytes.
        other => text_of(other).trim_end_matches('=').len() * 3 / 4,
    };
    size as f64
}

/// Compares a number, which is text if it is a bigint or a key, with a limit.
fn order(value: &Value, limit: &str) -> Option<Ordering> {
    let text = text_of(value);
    match (text.parse::<Bigint>(), limit.parse::<Bigint>()) {
        (Ok(value), Ok(limit)) => Some(value.cmp(&limit)),
        _ => {
            let limit: f64 = limit.parse().ok()?;
            text.parse::<f64>().ok()?.partial_cmp(&limit)
        }
    }
}

/// An http or https URL of the characters that RFC 3986 allows.
static URL: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"(?i)^https?://(?:(?:[!$&-.0-;=A-Z_a-z~]|%[0-9a-f]{2})*@)?",
        r"(?:\[[0-9a-f:.]+\]|(?:[!$&-.0-9;=A-Z_a-z~]|%[0-9a-f]{2})+)(?::[0-9]*)?",
        r"(?:[/?](?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?(?:#(?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?$"
    );
    Regex::new(pattern).expect("the pattern is valid")
});
