//! What a contract says about types, addresses and errors.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, OnceLock};

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

/// The contract that the client was generated from.
#[derive(Deserialize)]
pub(super) struct Contract {
    pub types: HashMap<String, Rule>,
    pub credentials: HashMap<String, Place>,
    pub errors: Vec<Declared>,
    pub hosts: HashMap<String, Host>,
}

pub(super) static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../contract.json")).expect("ridlkit wrote contract.json")
});

/// The kind of a value. Other names are those of declared types.
#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    #[default]
    Any,
    Float32,
    Int,
    List,
    Map,
    Struct,
    Uint,
    Union,
    #[serde(untagged)]
    Other(String),
}

/// What a value must be, in addition to its type in Rust.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Rule {
    pub is: Kind,
    /// The items of a list, or the values of a map.
    pub of: Option<Box<Rule>>,
    /// The keys of a map.
    pub key: Option<Box<Rule>>,
    pub fields: Vec<Rule>,
    /// The name of a field.
    pub name: String,
    pub optional: bool,
    pub nullable: bool,
    pub sensitive: bool,
    /// Whether a field collects the members that no other field declares.
    pub extra: bool,
    pub limits: Vec<Limit>,
    /// The only values that are allowed.
    pub listed: Option<Vec<Value>>,
    pub variants: Vec<Rule>,
    /// The member that tells the variants of a union apart.
    pub tag: Option<String>,
    /// The members of which exactly one is present.
    pub choice: Vec<String>,
    /// Whether a union has variants that are not known.
    pub open: bool,
    /// The values of the tag that mean a variant.
    pub tags: Vec<Value>,
    /// The kinds of JSON of a variant, if there is no tag.
    pub kinds: Vec<String>,
    /// The members that show that an object is of a variant, and which of them can be null.
    pub marks: Vec<String>,
    pub nullable_marks: Vec<String>,
}

impl Rule {
    /// Returns the rule of a declared type.
    pub fn of_type(name: &str) -> Option<&'static Self> {
        CONTRACT.types.get(name)
    }

    /// Returns the field for a member.
    pub fn field(&self, name: &str) -> Option<&Self> {
        let mut fields = self.fields.iter();
        fields.find(|each| !each.extra && each.name == name)
    }
}

/// A limit of values, by its name in JSON Schema.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Limit {
    /// The text of a number.
    Minimum(String),
    Maximum(String),
    MinLength(f64),
    MaxLength(f64),
    MinItems(f64),
    MaxItems(f64),
    MinProperties(f64),
    MaxProperties(f64),
    UniqueItems(bool),
    Pattern {
        text: String,
        #[serde(skip)]
        regex: OnceLock<Option<Regex>>,
    },
    /// A pattern that only a function of the program can check.
    Hook(String),
    Format(String),
}

/// Where a credential is.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Place {
    pub place: String,
    /// The name of the header, parameter or cookie.
    pub parameter: String,
    /// What precedes the value.
    pub scheme: String,
}

/// A declared error, or the usual body of the errors of a server.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Declared {
    pub name: String,
    pub code: i32,
    pub status: u16,
    pub has_any_status: bool,
    pub data: Option<String>,
    pub parts: Vec<Part>,
    pub headers: Vec<ResponseHeader>,
}

impl Declared {
    pub fn named(name: impl AsRef<str>) -> Option<&'static Self> {
        let mut errors = CONTRACT.errors.iter();
        errors.find(|error| error.name == name.as_ref())
    }
}

/// A part of an error in a body that is not webrpc's envelope.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part {
    pub role: String,
    /// The names from the body to the part. 0 is the first item of a list.
    pub path: Vec<Value>,
    /// Values by the names of errors. Without them, the value is the part itself.
    pub names: Option<HashMap<String, String>>,
    /// Whether errors that are not in `names` are written with their own names.
    #[serde(default)]
    pub is_open: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Host {
    /// The header `webrpc`.
    pub header: Option<String>,
    /// The body of errors in place of webrpc's envelope.
    pub error_body: Option<Declared>,
    pub methods: HashMap<String, Method>,
}

/// How to call a method.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Method {
    pub path: String,
    /// The type of the request, if it has fields.
    pub request: Option<String>,
    pub response: Option<String>,
    pub credentials: Vec<String>,
    /// Whether a call can be repeated.
    pub is_safe: bool,
    /// Whether messages can contain sensitive fields, so that errors do not quote what could not be read.
    pub is_sensitive: bool,
    /// Whether each call has a key, with which it can be repeated.
    pub has_key: bool,
    pub has_files: bool,
    /// The field that is the whole body of a response.
    pub body: Option<String>,
    pub rest: Option<Rest>,
    /// The names of its errors. Without them, it can return all.
    pub errors: Option<Vec<String>>,
    /// The field of a request for the cursor of the last item of a stream, and the names from an item to it.
    pub resume: Option<(String, String)>,
    pub paging: Option<Paging>,
}

impl Method {
    pub fn request_rule(&self) -> Option<&'static Rule> {
        Rule::of_type(self.request.as_deref()?)
    }

    pub fn response_rule(&self) -> Option<&'static Rule> {
        Rule::of_type(self.response.as_deref()?)
    }
}

/// Where the parts of a request and of its response are.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Rest {
    pub verb: String,
    pub query: Vec<Slot>,
    /// The names of headers, and the fields in them.
    pub headers: Vec<(String, String)>,
    /// The field that is the whole body of the request.
    pub request_body: Option<String>,
    /// Whether the body is an object of the fields that are in no other part.
    pub has_body: bool,
    /// The type of a body in JSON.
    pub media_type: Option<String>,
    /// What follows the names of lists in a form. Without it, the body is JSON.
    pub form: Option<String>,
    pub response_headers: Vec<ResponseHeader>,
    /// The field that is the body of the response with each status, if there are several.
    pub statuses: BTreeMap<String, Option<String>>,
    /// The field that contains the status.
    pub status_output: Option<String>,
}

/// A part of a query: a field, or a text that is always sent.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Slot {
    pub name: String,
    pub field: Option<String>,
    pub value: String,
    /// Whether the items of a list are separated by commas.
    pub is_joined: bool,
}

/// A field of a response or an error in a header.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseHeader {
    pub name: String,
    pub field: String,
    pub is_text: bool,
    pub is_list: bool,
    /// Whether the field is an empty list if there is no header.
    pub is_required: bool,
}

/// How a method returns pages.
#[derive(Deserialize)]
pub(super) struct Paging {
    /// The field of the request that identifies a page, maybe in the struct of another field.
    pub asked: String,
    pub holder: Option<String>,
    /// The field of the response with the next token, the number or the links.
    pub answered: String,
    /// The members with the number of a page, and whether there are more.
    pub numbered: Option<(String, String)>,
    /// The parameter of links to the next page, and whether it is a number.
    pub linked: Option<(String, bool)>,
}
