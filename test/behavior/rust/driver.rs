//! A driver of `ridl conformance` for the client of the conformance contract.

mod calls;

use std::io::BufRead;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use conformance::ridl::{Download, Http, Items, Reconnect, Retry, Timeout};
use conformance::{ConformanceClient, Error, ErrorKind, File, Reason, types};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// What came of a call, or why it was not sent.
type Outcome = Result<Value, Value>;

fn failed(error: &Error) -> Value {
    if error.reason == Some(Reason::Invalid) {
        return json!({ "refused": error.to_string() });
    }
    let mut found = Map::new();
    found.insert("name".into(), error.name.as_str().into());
    found.insert("code".into(), error.code.into());
    found.insert("status".into(), error.status.into());
    found.insert("message".into(), error.message.as_str().into());
    found.insert("cause".into(), error.cause.as_deref().into());
    found.insert("reason".into(), error.reason.map(Reason::as_str).into());
    if let ErrorKind::QuotaReached(Some(data)) = &error.kind {
        found.insert("data".into(), json!(data));
    }
    json!({ "error": found })
}

fn read<T: DeserializeOwned>(request: Value) -> Result<T, Value> {
    serde_json::from_value(request).map_err(|error| json!({ "refused": error.to_string() }))
}

fn value(result: Result<impl Serialize, Error>) -> Outcome {
    let value = result.map_err(|error| failed(&error))?;
    Ok(json!({ "value": value }))
}

fn nothing(result: Result<(), Error>) -> Outcome {
    value(result.map(|()| Map::new()))
}

async fn file(result: Result<Download, Error>) -> Outcome {
    let download = result.map_err(|error| failed(&error))?;
    let (name, media_type) = (download.name.clone(), download.media_type.clone());
    let content = download.read().await.map_err(|error| failed(&error))?;
    let file = json!({ "name": name, "type": media_type, "base64": STANDARD.encode(content) });
    Ok(json!({ "value": { "file": file } }))
}

async fn items(mut stream: Items<impl Serialize>, take: usize) -> Outcome {
    let mut items = Vec::new();
    while let Some(item) = stream.next().await {
        match item {
            Ok(item) => items.push(json!(item)),
            Err(error) => {
                let mut outcome = failed(&error);
                outcome["items"] = Value::Array(items);
                return Ok(outcome);
            }
        }
        if items.len() == take {
            break;
        }
    }
    Ok(json!({ "items": items }))
}

fn file_of(given: &Value) -> File {
    let text = |name: &str| given[name].as_str().unwrap_or_default();
    let content = STANDARD.decode(text("base64")).unwrap_or_default();
    File::new(content).named(text("name")).of_type(text("type"))
}

fn files_of(given: &Value) -> Option<Vec<File>> {
    Some(given.as_array()?.iter().map(file_of).collect())
}

/// Calls the methods whose requests contain files, which are no JSON.
async fn upload(client: &ConformanceClient, method: &str, request: &Value) -> Outcome {
    let text = |name: &str| request[name].as_str().map(str::to_owned);
    let id = text("id").unwrap_or_default();
    match method {
        "Upload" => {
            let request = types::UploadRequest {
                title: text("title").unwrap_or_default(),
                picture: file_of(&request["picture"]),
                more: files_of(&request["more"]),
            };
            value(client.uploads().upload(&request).await)
        }
        "Attach" => {
            let request = types::AttachRequest {
                id,
                title: text("title"),
                tags: request.get("tags").cloned().map(read).transpose()?,
                paper: file_of(&request["paper"]),
                photos: files_of(&request["photos"]),
            };
            value(client.uploads().attach(&request).await)
        }
        _ => {
            let request = types::StoreRequest {
                id,
                note: text("note"),
                content: file_of(&request["content"]),
            };
            value(client.uploads().store(&request).await)
        }
    }
}

fn client_of(call: &Value, http: &Http) -> ConformanceClient {
    let options = &call["options"];
    let mut client = ConformanceClient::over(call["url"].as_str().unwrap_or_default(), http.clone());
    for (name, value) in call["credentials"].as_object().into_iter().flatten() {
        let value = value.as_str().unwrap_or_default();
        client = match name.as_str() {
            "Key" => client.with_key(value),
            "Secret" => client.with_secret(value),
            "UserLogin" => client.with_user_login(value),
            "ApiKey" => client.with_api_key(value),
            _ => client.with_session(value),
        };
    }
    client.with(|given| {
        given.retry = options["attempts"].as_u64().map(|attempts| Retry {
            attempts: attempts as u32,
            backoff: Duration::from_millis(1),
            ..Retry::default()
        });
        if let Some(timeout) = options["timeoutMs"].as_u64() {
            given.timeout = Timeout::After(Duration::from_millis(timeout));
        }
        given.reconnect = options["reconnect"].as_bool().map(|_| Reconnect {
            attempts: options["attempts"].as_u64().map_or(u32::MAX, |attempts| attempts as u32),
            min_delay: Duration::from_millis(1),
            ..Reconnect::default()
        });
        given.idempotency_key = options["idempotencyKey"].as_str().map(str::to_owned);
        for (name, value) in options["headers"].as_object().into_iter().flatten() {
            let value = value.as_str().unwrap_or_default();
            given.headers.insert(name.clone(), value.to_owned());
        }
        given.check_responses = options["checkResponses"].as_bool().unwrap_or(false);
    })
}

async fn run(call: &Value, http: &Http) -> Outcome {
    let client = client_of(call, http);
    let method = call["method"].as_str().unwrap_or_default();
    let service = call["service"].as_str().unwrap_or_default();
    let request = call.get("request").cloned().unwrap_or_else(|| json!({}));
    let take = call["options"]["take"].as_u64().unwrap_or(0) as usize;
    if service == "Uploads" && matches!(method, "Upload" | "Attach" | "Store") {
        return upload(&client, method, &request).await;
    }
    calls::call(&client, service, method, request, take).await
}

#[tokio::main(flavor = "multi_thread", worker_threads = 1)]
async fn main() {
    let http = Http::new();
    for line in std::io::stdin().lock().lines() {
        let Ok(call) = serde_json::from_str::<Value>(&line.unwrap_or_default()) else {
            return;
        };
        let outcome = run(&call, &http).await;
        println!("{}", outcome.unwrap_or_else(|refused| refused));
    }
}
