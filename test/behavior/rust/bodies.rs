//! Compares what clients make of errors that are not webrpc's envelope with what TypeScript clients make of them, and reads
//! pages one after the other.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bodies::{BodiesClient, ErrorKind};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

/// Gives one response after the other, and records the bodies or the queries of requests.
#[derive(Clone, Default)]
struct Fake(Arc<Mutex<(VecDeque<Value>, Vec<Value>)>>);

impl Fake {
    fn giving(given: &[Value]) -> Self {
        let fake = Self::default();
        fake.0.lock().unwrap().0.extend(given.iter().cloned());
        fake
    }
}

macro_rules! transport_of {
    ($package:ident) => {
        impl $package::ridl::Transport for Fake {
            fn send(
                &self,
                request: $package::ridl::Request,
            ) -> BoxFuture<'static, Result<$package::ridl::Response, $package::ridl::SendError>> {
                let query = request.url.split_once('?').map_or("", |(_, query)| query);
                let asked = match &request.body {
                    Some($package::ridl::Body::Whole(body)) => serde_json::from_slice(body).unwrap(),
                    _ => json!(query),
                };
                let mut state = self.0.lock().unwrap();
                state.1.push(asked);
                let given = state.0.pop_front().unwrap();
                let headers = given["headers"].as_object().into_iter().flatten();
                let headers = headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
                let text = given["body"].as_str().unwrap().to_owned();
                let response = $package::ridl::Response {
                    status: given["status"].as_u64().unwrap() as u16,
                    headers: $package::ridl::Headers(headers.collect()),
                    body: stream::iter([Ok(bytes::Bytes::from(text))]).boxed(),
                };
                Box::pin(async { Ok(response) })
            }

            fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
                Box::pin(std::future::pending())
            }
        }
    };
}

transport_of!(amounts);
transport_of!(bodies);
transport_of!(pages);

async fn failure(case: &Value) -> bodies::Error {
    let client = BodiesClient::over("http://host", Fake::giving(&[case.clone()]));
    let client = client.with(|options| options.retry = None);
    let failed = match case["method"].as_str().unwrap() {
        "fail" => client.shop().fail(&bodies::types::FailRequest { how: "a".into() }).await,
        "failOne" => client.shop().fail_one().await,
        _ => client.shop().fail_any().await,
    };
    failed.unwrap_err()
}

/// Returns JSON in which 1 and 1.0 are equal.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(members) => members.into_iter().map(|(name, member)| (name, plain(member))).collect(),
        other => other,
    }
}

#[tokio::test]
async fn reads_bodies_of_errors() {
    let cases = std::fs::read(std::env::var("CASES").unwrap()).unwrap();
    let cases: Vec<Value> = serde_json::from_slice(&cases).unwrap();
    let mut names = std::collections::HashSet::new();
    for case in &cases {
        let error = failure(case).await;
        names.insert(error.name.clone());
        let wanted = &case["error"];
        if wanted["name"] == "WebrpcBadResponse" {
            assert_eq!(error.reason, Some(bodies::Reason::BadResponse), "{case}");
            assert_eq!(case["status"], error.status);
            continue;
        }
        // Data is written in the types of the contract.
        let data = match &error.kind {
            ErrorKind::Teapot(data) => json!(data),
            ErrorKind::Upstream(data) => json!(data),
            _ => json!(error.data::<bodies::types::Problem>()),
        };
        let found = json!({
            "name": error.name, "code": error.code, "status": error.status,
            "message": error.message, "cause": error.cause, "data": data,
        });
        assert_eq!(plain(found), plain(wanted.clone()), "{case}");
    }
    assert!(names.len() > 6);
}

#[tokio::test]
async fn matches_errors() {
    let body = json!({ "type": "sold_out", "number": "1409", "status": 409, "errors": [], "left": 2 });
    let case = json!({ "method": "fail", "status": 500, "body": body.to_string() });
    match &failure(&case).await.kind {
        ErrorKind::SoldOut(Some(problem)) => assert_eq!(problem.left, Some(2)),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn knows_errors_by_large_integers() {
    let body = r#"{"owed":184467440737095516170}"#;
    let fake = Fake::giving(&[json!({ "status": 500, "body": body })]);
    let client = amounts::AmountsClient::over("http://host", fake);
    let error = client.bank().pay().await.unwrap_err();
    assert_eq!(error.name, "Owed");
    assert_eq!(error.data::<Value>().unwrap()["owed"].as_f64(), Some(184467440737095516170.0));
}

fn page(body: Value) -> Value {
    json!({ "status": 200, "body": body.to_string() })
}

fn shop(given: &[Value]) -> (Fake, pages::ShopClient) {
    let fake = Fake::giving(given);
    (fake.clone(), pages::ShopClient::over("http://host", fake))
}

#[tokio::test]
async fn reads_pages_by_tokens() {
    let second = page(json!({ "notes": ["b"], "nextCursor": "" }));
    let (fake, client) = shop(&[page(json!({ "notes": ["a"], "nextCursor": "2" })), second]);
    let request = pages::types::ListNotesRequest { owner: "me".into(), cursor: None };
    let mut found = client.shop().list_notes_pages(&request);
    let mut notes: Vec<String> = Vec::new();
    while let Some(page) = found.next().await {
        notes.extend(page.unwrap().notes.into_iter().flatten());
    }
    assert_eq!(notes, ["a", "b"]);
    let asked = [json!({ "owner": "me" }), json!({ "owner": "me", "cursor": "2" })];
    assert_eq!(fake.0.lock().unwrap().1, asked);
}

#[tokio::test]
async fn refuses_pages_that_were_read() {
    let same = page(json!({ "notes": [], "nextCursor": "2" }));
    let (_, client) = shop(&[same.clone(), same]);
    let request = pages::types::ListNotesRequest { owner: "me".into(), cursor: None };
    let pages: Vec<_> = client.shop().list_notes_pages(&request).collect().await;
    assert_eq!(pages.len(), 3);
    assert!(pages[2].is_err());
}

#[tokio::test]
async fn reads_pages_by_numbers() {
    let first = json!({ "orders": [], "page": { "page": 1, "pageSize": 7, "more": true } });
    let second = json!({ "orders": [], "page": { "page": 2, "more": true } });
    let last = json!({ "orders": [], "page": { "more": false } });
    let (fake, client) = shop(&[page(first), page(second), page(last)]);
    let found: Vec<_> = client.shop().list_orders_pages(&Default::default()).collect().await;
    assert!(found.len() == 3 && found.iter().all(Result::is_ok));
    let asked = fake.0.lock().unwrap().1.clone();
    assert_eq!(asked[1], json!({ "page": { "page": 2, "pageSize": 7, "more": true } }));
    assert_eq!(asked[2], json!({ "page": { "page": 3, "pageSize": 7, "more": true } }));
}
