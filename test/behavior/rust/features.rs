//! Tests of clients with a transport that sends nothing.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use features::ridl::{Body, Headers, Request, Response, SendError, SendErrorKind, Transport, set_pattern};
use features::webhooks::hooks;
use features::{Bigint, Credential, Error, ErrorKind, FeaturesClient, Reason, Secret, Timestamp, types};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use hmac::Mac;
use serde_json::{Value, json};

pub type Given = (u16, Vec<(&'static str, &'static str)>, &'static str);

/// Gives one response after the other, and records requests and delays.
#[derive(Clone, Default)]
pub struct Fake {
    given: Arc<Mutex<VecDeque<Given>>>,
    pub seen: Arc<Mutex<Vec<Request>>>,
    slept: Arc<Mutex<Vec<Duration>>>,
    /// Whether even limits of calls are over at once.
    pub is_hasty: Arc<AtomicBool>,
}

impl Fake {
    pub fn giving(given: impl IntoIterator<Item = Given>) -> (Self, FeaturesClient) {
        let fake = Self::default();
        fake.given.lock().unwrap().extend(given);
        let client = FeaturesClient::over("http://host/", fake.clone());
        (fake, client)
    }

    /// Returns the text of a body that was sent.
    pub fn sent(&self, index: usize) -> String {
        match &self.seen.lock().unwrap()[index].body {
            Some(Body::Whole(body)) => String::from_utf8(body.to_vec()).unwrap(),
            _ => String::new(),
        }
    }
}

/// Returns a body that must not be polled after its end.
fn once_only(parts: Vec<Result<bytes::Bytes, SendError>>) -> BoxStream<'static, Result<bytes::Bytes, SendError>> {
    let mut parts = parts.into_iter();
    let mut is_over = false;
    stream::poll_fn(move |_| {
        assert!(!is_over, "polled after the end");
        let part = parts.next();
        is_over = part.is_none();
        Poll::Ready(part)
    })
    .boxed()
}

impl Transport for Fake {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, SendError>> {
        self.seen.lock().unwrap().push(request);
        let (status, headers, text) = self.given.lock().unwrap().pop_front().unwrap();
        let parts = match headers.first() {
            Some(("x-broken", _)) => {
                let (text, kind) = ("broken".to_owned(), SendErrorKind::Unreadable);
                vec![Err(SendError { text, kind })]
            }
            _ => vec![Ok(bytes::Bytes::from_static(text.as_bytes()))],
        };
        let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let response = Response {
            status,
            headers: Headers(headers.collect()),
            body: once_only(parts),
        };
        Box::pin(async { Ok(response) })
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        // A limit of a call is not waited for.
        if duration > Duration::from_secs(50) && !self.is_hasty.load(Ordering::Relaxed) {
            return Box::pin(std::future::pending());
        }
        self.slept.lock().unwrap().push(duration);
        Box::pin(async {})
    }
}

const LOGIN: &str = r#"{"login":{"user":"a","password":"hunter2hunter2","pins":{"hunter2":1}},"ratio":1}"#;

fn get(id: u32) -> types::GetRequest {
    types::GetRequest { id }
}

#[tokio::test]
async fn waits_as_long_as_the_server_asks() {
    let busy = (503, vec![("Retry-After", "3")], "");
    let (fake, client) = Fake::giving([busy, (200, vec![], LOGIN)]);
    client.shop().get(&get(1)).await.unwrap();
    assert_eq!(*fake.slept.lock().unwrap(), [Duration::from_secs(3)]);
    let long = (503, vec![("retry-after", "30")], "");
    let (_, client) = Fake::giving([long]);
    let error = client.shop().get(&get(1)).await.unwrap_err();
    assert_eq!(error.retry_after, Some(Duration::from_secs(30)));
}

#[tokio::test]
async fn shows_no_secrets() {
    let (_, client) = Fake::giving([(200, vec![], LOGIN)]);
    let client = client.with_token("hunter2").with_key(Credential::from_fn(|| async { Ok("hunter2".to_owned()) }));
    let found = client.shop().get(&get(1)).await.unwrap();
    assert_eq!(*found.login.password, "hunter2hunter2");
    let login = types::Login { user: "a".into(), password: Secret("hunter2".into()), pins: None };
    let refused = client.shop().sign_in(&login).await.unwrap_err();
    assert_eq!(refused.reason, Some(Reason::Invalid));
    let mut shown = format!("{client:?} {found:?} {login:?} {refused:?} {refused}");
    for body in [
        r#"{"login":{"user":"a","password":{"hunter2":"hunter2"}},"ratio":1}"#,
        r#"{"login":{"user":"a","password":"hunter2","pins":{"hunter2":-1}},"ratio":1}"#,
        r#"{"login":{"user":"hunter2hunter2"#,
    ] {
        for (status, is_checked) in [(200, false), (200, true), (400, false)] {
            let (_, client) = Fake::giving([(status, vec![], body)]);
            let client = client.with(|options| options.check_responses = is_checked);
            let error = client.shop().get(&get(1)).await.unwrap_err();
            assert_eq!(error.reason, Some(Reason::BadResponse));
            shown += &format!("{error:?} {error} {:?}", error.kind);
        }
    }
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[tokio::test]
async fn reads_data_of_errors_within_its_limits() {
    let body = r#"{"error":"SoldOut","code":1409,"msg":"none","data":{"left":3}}"#;
    let (_, client) = Fake::giving([(409, vec![], body)]);
    let error = client.shop().get(&get(1)).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::SoldOut(Some(types::Stock { left: 3, debt: None })));
    assert_eq!(error.data::<types::Stock>(), Some(types::Stock { left: 3, debt: None }));
    let body = r#"{"error":"SoldOut","code":1409,"msg":"none","data":{"left":10}}"#;
    let (_, client) = Fake::giving([(409, vec![], body)]);
    let error = client.shop().get(&get(1)).await.unwrap_err();
    assert_eq!((&error.kind, error.code), (&ErrorKind::SoldOut(None), 1409));
    assert_eq!(error.body().map(|body| body.len()), Some(body.len()));
}

#[tokio::test]
async fn refuses_what_json_cannot_express() {
    let (fake, client) = Fake::giving([(200, vec![], "{}")]);
    let mut request = types::SendRequest { ratio: Some(f64::NAN), anything: json!({ "a": 1 }) };
    let error = client.shop().send(&request).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Transport(Reason::Invalid));
    assert!(fake.seen.lock().unwrap().is_empty());
    request.ratio = Some(1e300);
    client.shop().send(&request).await.unwrap();
    let seen = fake.seen.lock().unwrap();
    let Some(Body::Whole(body)) = &seen[0].body else { panic!("no body") };
    let sent: Value = serde_json::from_slice(body).unwrap();
    assert_eq!(sent, json!({ "ratio": 1e300, "anything": { "a": 1 } }));
}

#[tokio::test]
async fn checks_patterns_with_functions_of_the_program() {
    let (fake, client) = Fake::giving([(200, vec![], r#"{"slug":"a"}"#)]);
    let client = client.with_key("k&y");
    let request = types::FindRequest { slug: "a".into() };
    let error = client.shop().find(&request).await.unwrap_err();
    assert!(error.to_string().contains("set_pattern"), "{error}");
    set_pattern("^(?!-)[a-z-]+$", |text| !text.starts_with('-'));
    client.shop().find(&request).await.unwrap();
    assert_eq!(fake.seen.lock().unwrap()[0].url, "http://host/items/a?api_key=k%26y");
    assert_eq!(format!("{:?}", fake.seen.lock().unwrap()[0]), "GET http://host/items/a");
    let error = client.shop().find(&types::FindRequest { slug: "-a".into() }).await.unwrap_err();
    assert_eq!(error.reason, Some(Reason::Invalid));
}

#[tokio::test]
async fn accepts_whole_numbers_but_no_lists_for_structs() {
    let whole = r#"{"slug":"a","x":1.0}"#;
    let list = r#"{"login":["a","hunter2hunter2",null],"ratio":1}"#;
    let (_, client) = Fake::giving([(200, vec![], whole), (200, vec![], list)]);
    let error = client.shop().get(&get(1)).await.unwrap_err();
    assert_eq!(error.cause.as_deref(), Some("hidden"));
    let error = client.shop().get(&get(1)).await.unwrap_err();
    assert_eq!(error.reason, Some(Reason::BadResponse));
}

#[tokio::test]
async fn reads_text_that_is_not_well_formed() {
    let body = r#"{"slug":"\ud800 \ud83d\ude00 \\ud800"}"#;
    let (_, client) = Fake::giving([(200, vec![], body)]);
    set_pattern("^(?!-)[a-z-]+$", |text| !text.starts_with('-'));
    let found = client.shop().find(&types::FindRequest { slug: "a".into() }).await.unwrap();
    assert_eq!(found.slug, "\u{fffd} \u{1f600} \\ud800");
}

#[tokio::test]
async fn refuses_headers_without_showing_them() {
    let (fake, client) = Fake::giving([]);
    let error = client.with_token("hunter2\r\nx: 1").shop().get(&get(1)).await.unwrap_err();
    assert_eq!(error.reason, Some(Reason::Invalid));
    assert!(!format!("{error:?}").contains("hunter2"));
    assert!(fake.seen.lock().unwrap().is_empty());
}

fn sign(body: &str, secret: &str, at: i64) -> String {
    let key = STANDARD.decode(secret.trim_start_matches("whsec_")).unwrap();
    let mut code = hmac::Hmac::<sha2::Sha256>::new_from_slice(&key).unwrap();
    code.update(format!("id.{at}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(code.finalize().into_bytes()))
}

fn receive(body: &str, event: &str, at: i64, signature: &str) -> Result<hooks::Event, Error> {
    let at = at.to_string();
    let headers = [
        ("Webhook-Id", "id"),
        ("webhook-timestamp", at.as_str()),
        ("webhook-signature", signature),
        ("webhook-event", event),
    ];
    hooks::receive(body.as_bytes(), &headers, Some(&[SECRET]))
}

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

#[test]
fn receives_webhooks() {
    let now = Timestamp::now().seconds();
    let body = r#"{"id":7,"price":"100000000000000000000"}"#;
    let signature = sign(body, SECRET, now);
    let event = receive(body, "Sold", now, &format!("v1,AAAA {signature}")).unwrap();
    let price = Some("100000000000000000000".parse::<Bigint>().unwrap());
    assert_eq!(event, hooks::Event::OnSold(types::SoldRequest { id: 7, price }));
    let status = |body: &str, event: &str, at: i64, signature: &str| {
        let error = receive(body, event, at, signature).unwrap_err();
        assert_eq!(error.envelope()["status"], error.status);
        error.status
    };
    assert_eq!(status(body, "Lost", now, &signature), 404);
    assert_eq!(status("{}", "Sold", now, &sign("{}", SECRET, now)), 400);
    assert_eq!(status("{}", "Sold", now, &signature), 401);
    assert_eq!(status(body, "Sold", now, ""), 401);
    let late = now - 301;
    assert_eq!(status(body, "Sold", late, &sign(body, SECRET, late)), 401);
    let other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    assert_eq!(status(body, "Sold", now, &sign(body, other, now)), 401);
    assert!(hooks::receive(body.as_bytes(), &[("webhook-event", "Sold")], None).is_ok());
    let broken = b"{\"id\":7,\"more\":\"\xff\"}";
    let error = hooks::receive(broken, &[("webhook-event", "Sold")], None).unwrap_err();
    assert_eq!((error.status, error.cause.as_deref()), (400, Some("body is not UTF-8")));
}

#[test]
fn reads_and_writes_timestamps() {
    for (text, written) in [
        ("2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"),
        ("0001-01-01T00:00:00.120Z", "0001-01-01T00:00:00.120Z"),
        ("1969-12-31t23:59:59.000000001-01:30", "1970-01-01T01:29:59.000000001Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
    ] {
        let time: Timestamp = text.parse().unwrap();
        assert_eq!(time.to_string(), written);
        assert_eq!(Timestamp::from(std::time::SystemTime::from(time)), time);
    }
    for text in [
        "2024-02-30T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "2024-05-01T10:00:00",
        "2024-05-01 10:00:00Z",
        "2024-05-01T10:00:60Z",
        "2024-05-01T24:00:00Z",
        "2024-05-01T10:00:00.Z",
        "2024-05-01T10:00:00.1234567890Z",
        "2024-05-01T10:00:00+1:00",
        "9999-12-31T23:59:59-00:01",
        "",
    ] {
        assert!(text.parse::<Timestamp>().is_err(), "{text}");
    }
}
