//! Calls the methods of the shop with openapi-generator's client for Rust. The
//! client has neither `Upload` nor `GetItems`, which do not compile.
use std::fmt::Debug;

use serde_json::{json, Value};
use shop::apis::configuration::{ApiKey, Configuration};
use shop::apis::{shop_api, Error};
use shop::models::{CountRequest, DownloadRequest, Everything, GetItemRequest};

fn everything() -> Value {
    json!({
        "text": "naïve 商店 🦄", "secret": "1234", "password": "5678", "flag": true,
        "small": -128, "large": 9007199254740991i64, "ratio": 0.5,
        "total": "123456789012345678901234567890",
        "when": "2026-01-31T12:00:00.500+01:00", "data": "AAECAw==",
        "color": "Blue", "code": "EUR", "list": ["a", "b"],
        "counts": { "one": 1, "two": 2 },
        "byColor": { "Red": { "id": 1, "name": "SICP", "kind": "something new" } },
        "nothing": null, "sold": null, "anything": { "deep": [1, null] }
    })
}

/// Checks the name and the status of an error. Its body is the envelope.
fn check_error<Answer: Debug, Kind: Debug>(got: Result<Answer, Error<Kind>>, name: &str, status: u16) {
    match got {
        Err(Error::ResponseError(response)) => {
            let envelope: Value = serde_json::from_str(&response.content).unwrap();
            assert_eq!((envelope["error"].as_str(), response.status.as_u16()), (Some(name), status));
            assert!(response.entity.is_some(), "{name} is not typed");
        }
        other => panic!("expected {name}, got {other:?}"),
    }
}

fn with_text(text: &str) -> Everything {
    let mut value = everything();
    value["text"] = json!(text);
    serde_json::from_value(value).unwrap()
}

async fn check_answers(client: &Configuration, both: &Configuration) {
    assert!(shop_api::shop_ping(client, "at").await.unwrap().ok);
    let echoed = shop_api::shop_echo(client, "at", serde_json::from_value(everything()).unwrap());
    assert_eq!(serde_json::to_value(echoed.await.unwrap()).unwrap(), everything());
    let found = shop_api::shop_get_item(both, "at", GetItemRequest::new(2)).await.unwrap();
    assert_eq!(found.item.parent.unwrap().name, "SICP");
    let given = DownloadRequest::new("given".to_owned());
    let file = shop_api::shop_download(client, "at", given).await.unwrap();
    assert_eq!(file.text().await.unwrap(), "content");
    // The client of the generator rejects the media type of streams.
    let count = CountRequest::new(3);
    let address = format!("{}/at/rpc/Shop/Count", client.base_path);
    let answer = client.client.post(address).json(&count).send().await.unwrap();
    let text = answer.text().await.unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, [r#"{"n":1}"#, r#"{"n":2}"#, r#"{"n":3}"#]);
}

async fn check_errors(client: &Configuration, keyed: &Configuration, both: &Configuration) {
    check_error(shop_api::shop_ping(client, "zz").await, "WebrpcBadRoute", 404);
    check_error(shop_api::shop_echo(client, "at", with_text("sold")).await, "Sold", 409);
    let long = with_text(&"x".repeat(21));
    check_error(shop_api::shop_echo(client, "at", long).await, "InvalidArgument", 400);
    let item = |id| GetItemRequest::new(id);
    check_error(shop_api::shop_get_item(both, "at", item(404)).await, "ItemNotFound", 404);
    check_error(shop_api::shop_get_item(client, "at", item(2)).await, "Unauthorized", 401);
    check_error(shop_api::shop_get_item(keyed, "at", item(2)).await, "Forbidden", 403);
    check_error(shop_api::shop_count(client, "at", CountRequest::new(0)).await, "Sold", 409);
    let missing = DownloadRequest::new("none".to_owned());
    check_error(shop_api::shop_download(client, "at", missing).await, "ItemNotFound", 404);
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let client = Configuration {
        base_path: std::env::args().nth(1).expect("an address"),
        ..Configuration::default()
    };
    let key = ApiKey { prefix: None, key: "key".to_owned() };
    let keyed = Configuration { api_key: Some(key), ..client.clone() };
    let both = Configuration { bearer_access_token: Some("token".to_owned()), ..keyed.clone() };
    check_answers(&client, &both).await;
    check_errors(&client, &keyed, &both).await;
}
