//! Finds the variant of a value.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::{Map, Value};

use super::contract::Rule;

/// A value of a union, and which of its variants it is.
pub struct Variant {
    /// The index of the variant, or that after the last one.
    pub index: usize,
    value: Value,
}

impl Variant {
    /// Reads a value of a union.
    pub fn find<'de, D: Deserializer<'de>>(union: &str, source: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(source)?;
        let found = Rule::of_type(union).and_then(|rule| find_variant(rule, &value));
        let index = found.ok_or_else(|| D::Error::custom("expected one of the variants"))?;
        Ok(Self { index, value })
    }

    /// Reads the value as a type.
    pub fn read<T: DeserializeOwned, E: Error>(self) -> Result<T, E> {
        serde_json::from_value(self.value).map_err(|_| E::custom("expected a variant"))
    }

    /// Returns an error for a value that is of no variant.
    pub fn fail<T, E: Error>(self) -> Result<T, E> {
        Err(E::custom("expected one of the variants"))
    }
}

/// Returns the index of the variant of a value. An open union has one variant more.
pub(super) fn find_variant(union: &Rule, value: &Value) -> Option<usize> {
    let none = Map::new();
    let members = value.as_object().unwrap_or(&none);
    let variants = &union.variants;
    if let Some(tag) = &union.tag {
        let tag = members.get(tag)?;
        let mut tags = variants.iter().flat_map(|each| &each.tags);
        if !tags.any(|each| kind_of(each) == kind_of(tag)) {
            return None;
        }
        let is_variant = |each: &Rule| each.tags.iter().any(|one| is_equal(one, tag));
        let known = variants.iter().position(is_variant);
        return known.or(union.open.then_some(variants.len()));
    }
    let has = |name: &String| members.get(name).is_some_and(|member| !member.is_null());
    if !union.choice.is_empty() && union.choice.iter().filter(|name| has(name)).count() != 1 {
        return None;
    }
    let has_mark = |rule: &Rule, name: &String| {
        has(name) || rule.nullable_marks.contains(name) && members.contains_key(name)
    };
    let is_variant = |kind: &str, rule: &Rule| {
        let is_marked = kind != "object" || rule.marks.iter().all(|name| has_mark(rule, name));
        is_marked && rule.kinds.iter().any(|each| each == kind)
    };
    let find = |kind: &str| variants.iter().position(|rule| is_variant(kind, rule));
    let kind = kind_of(value);
    // A server can send a bigint as a number.
    find(kind).or_else(|| find("string").filter(|_| kind == "number"))
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether two values are equal. 1 equals 1.0.
pub(super) fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || (one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64()
        }
        _ => one == other,
    }
}
