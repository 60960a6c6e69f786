//! Tests of values and responses that few servers send.

use std::time::Duration;

use features::ridl::{Body, Http, Retry, set_pattern};
use features::{Credential, ErrorKind, FeaturesClient, File, Reason, Timestamp, types};
use futures_util::stream::StreamExt;

use super::features_test::{Fake, Given};

fn answers(given: impl IntoIterator<Item = Given>) -> FeaturesClient {
    Fake::giving(given).1
}

async fn read(body: &'static str) -> Result<types::ReadResponse, features::Error> {
    answers([(200, vec![], body)]).edges().read().await
}

#[tokio::test]
async fn reads_the_nearest_number() {
    let found = read(r#"{"ratio":907.3038322028689}"#).await.unwrap();
    assert_eq!(found.ratio, Some("907.3038322028689".parse().unwrap()));
}

#[tokio::test]
async fn joins_repeated_headers() {
    let headers = vec![("x-tags", "a"), ("X-Tags", "b,c")];
    let found = answers([(200, headers, "{}")]).edges().tagged().await.unwrap();
    assert_eq!(found.tags, ["a", "b", "c"]);
}

#[tokio::test]
async fn always_asks_for_the_end_of_a_stream() {
    let (fake, client) = Fake::giving([(200, vec![], "{}"), (200, vec![("x-tags", "a")], "{}")]);
    let client = client.with(|options| {
        options.headers.insert("Accept".to_owned(), "text/plain".to_owned());
    });
    client.edges().lines().count().await;
    client.edges().tagged().await.unwrap();
    let seen = fake.seen.lock().unwrap();
    assert_eq!(seen[0].headers["accept"], "application/x-ndjson;end=1, */*");
    assert_eq!(seen[1].headers["accept"], "text/plain");
}

#[tokio::test]
async fn refuses_invalid_extra_members() {
    let label = async |body| answers([(200, vec![], body)]).edges().label().await;
    let found = label(r#"{"id":"a","x":1}"#).await.unwrap();
    assert_eq!(found.rest, Some([("x".to_owned(), 1)].into()));
    let error = label(r#"{"id":"a","x":1,"y":"b"}"#).await.unwrap_err();
    assert_eq!(error.reason, Some(Reason::BadResponse));
}

#[tokio::test]
async fn refuses_extra_members_of_a_named_type_that_are_lists() {
    let locate = async |body| answers([(200, vec![], body)]).edges().locate().await;
    let found = locate(r#"{"id":"a","b":{"x":1,"y":2}}"#).await.unwrap();
    assert_eq!(found.places.unwrap()["b"].y, 2);
    let error = locate(r#"{"id":"a","b":[1,2]}"#).await.unwrap_err();
    assert_eq!(error.reason, Some(Reason::BadResponse));
}

#[tokio::test]
async fn reads_objects_that_look_like_large_integers() {
    let found = read(r#"{"anything":{"\u0000":"99999999999999999999"}}"#).await.unwrap();
    assert_eq!(found.anything.unwrap()["\0"], "99999999999999999999");
}

#[tokio::test]
async fn does_not_repeat_calls_with_a_key_whose_answer_is_refused() {
    for headers in [vec![], vec![("content-encoding", "br")]] {
        let long = r#"{"much":"text"}"#;
        let (fake, client) = Fake::giving([(200, headers, long), (200, vec![], "{}")]);
        let client = client.with(|options| options.max_response_bytes = 10);
        let error = client.edges().pay().await.unwrap_err();
        assert_eq!(error.reason, Some(Reason::BadResponse));
        assert_eq!(fake.seen.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn announces_the_length_of_bodies_that_are_absent() {
    let (fake, client) = Fake::giving([(200, vec![], "{}"), (200, vec![("x-tags", "a")], "{}")]);
    client.edges().mark(&types::MarkRequest { id: 1 }).await.unwrap();
    client.edges().tagged().await.unwrap();
    let seen = fake.seen.lock().unwrap();
    assert_eq!(seen[0].headers.get("content-length").map(String::as_str), Some("0"));
    assert_eq!(seen[1].headers.get("content-length"), None);
}

#[tokio::test]
async fn writes_numbers_of_any_value() {
    let (fake, client) = Fake::giving([(200, vec![], "{}")]);
    let anything = serde_json::json!({ "a": [1, 0.5] });
    client.shop().send(&types::SendRequest { ratio: Some(1.5), anything }).await.unwrap();
    assert_eq!(fake.sent(0), r#"{"ratio":1.5,"anything":{"a":[1,0.5]}}"#);
}

#[tokio::test]
async fn limits_credentials_that_hang() {
    let (_, client) = Fake::giving([]);
    let client = client.with_token(Credential::from_fn(std::future::pending));
    let client = client.with(|options| {
        options.timeout = features::ridl::Timeout::After(Duration::from_millis(5));
        options.retry = None;
    });
    let (shop, request) = (client.shop(), types::GetRequest { id: 1 });
    let call = tokio::time::timeout(Duration::from_secs(20), shop.get(&request));
    assert_eq!(call.await.unwrap().unwrap_err().reason, Some(Reason::Timeout));
}

#[tokio::test]
async fn compares_limits_of_any_size() {
    let client = || answers([(200, vec![], "{}")]);
    let most = format!("1{}", "0".repeat(320));
    for (number, is_right) in [
        (most.clone(), true),
        (format!("{}1", &most[..320]), false),
        (format!("-{most}"), true),
        (format!("-{}1", &most[..320]), false),
        ("0".to_owned(), true),
    ] {
        let request = types::LimitRequest { large: number.parse().unwrap() };
        let result = client().edges().limit(&request).await;
        assert_eq!(result.is_ok(), is_right, "{number}");
    }
}

#[test]
fn reads_times_that_are_out_of_range() {
    let last = "9999-12-31T23:59:59.999999999Z";
    let far = std::time::UNIX_EPOCH + Duration::from_secs(1 << 61);
    assert_eq!(Timestamp::from(far).to_string(), last);
    let far = std::time::UNIX_EPOCH - Duration::from_secs(1 << 61);
    assert_eq!(Timestamp::from(far).to_string(), "0000-01-01T00:00:00Z");
}

#[tokio::test]
async fn reads_a_last_line_without_its_end() {
    let client = answers([(200, vec![], "{\"id\":1}\n{\"id\":2}")]);
    let items: Vec<_> = client.edges().lines().collect().await;
    assert!(items.len() == 2 && items.iter().all(Result::is_ok), "{items:?}");
}

#[tokio::test]
async fn reads_many_lines_in_one_part() {
    let line = format!("{{\"id\":1}}{}\n", " ".repeat(190));
    let lines: &'static str = Box::leak(line.repeat(150_000).into_boxed_str());
    let client = answers([(200, vec![], lines)]);
    // Moving the rest after each line takes minutes.
    let read = async { client.edges().lines().then(|_| tokio::task::yield_now()).count().await };
    let count = tokio::time::timeout(Duration::from_secs(60), read).await;
    assert_eq!(count, Ok(150_000));
}

#[tokio::test]
async fn reads_codes_of_any_size() {
    let body = r#"{"error":"Odd","code":-9223372036854775808}"#;
    let error = answers([(418, vec![], body)]).edges().read().await.unwrap_err();
    assert_eq!((error.name.as_str(), error.code), ("Odd", 0));
}

#[tokio::test]
async fn accepts_huge_delays() {
    let (fake, client) = Fake::giving([(503, vec![], ""), (200, vec![], "{}")]);
    let client = client.with(|options| {
        options.timeout = features::ridl::Timeout::Never;
        options.retry = Some(Retry {
            backoff: Duration::MAX,
            max_backoff: Duration::MAX,
            jitter: 1e-20,
            ..Retry::default()
        });
    });
    fake.is_hasty.store(true, std::sync::atomic::Ordering::Relaxed);
    client.edges().read().await.unwrap();
}

#[tokio::test]
async fn reads_integers_exactly() {
    let found = read(r#"{"count":1e19,"anything":1844674407370955161.5e1,"big":1.0e2}"#).await.unwrap();
    assert_eq!(found.count, Some(10_000_000_000_000_000_000));
    assert_eq!(found.anything, Some(18_446_744_073_709_551_615_u64.into()));
    assert_eq!(found.big, Some(100.into()));
    for body in [
        r#"{"anything":[18446744073709551617]}"#,
        r#"{"count":18446744073709551616}"#,
        r#"{"count":1000000000000000000.5}"#,
    ] {
        let error = read(body).await.unwrap_err();
        assert_eq!(error.reason, Some(Reason::BadResponse), "{body}");
    }
    let error = read(r#"{"anything":[18446744073709551617]}"#).await.unwrap_err();
    assert!(error.cause.as_deref().unwrap().contains("64 bits"), "{error}");
    let found = read(r#"{"big":184467440737095516170,"ratio":18446744073709551617,"anything":1e300}"#).await.unwrap();
    assert_eq!(found.big.unwrap().as_str(), "184467440737095516170");
    assert_eq!(found.ratio, Some(18_446_744_073_709_551_617.0));
}

#[tokio::test]
async fn reads_large_integers_in_errors() {
    let body = r#"{"error":"SoldOut","code":1409,"msg":"none","data":{"left":3,"debt":-184467440737095516170}}"#;
    let error = answers([(409, vec![], body)]).shop().get(&types::GetRequest { id: 1 }).await.unwrap_err();
    let debt = "-184467440737095516170".parse().ok();
    assert_eq!(error.kind, ErrorKind::SoldOut(Some(types::Stock { left: 3, debt: debt.clone() })));
    assert_eq!(error.data::<types::Stock>().unwrap().debt, debt);
    let body = r#"{"error":"SoldOut","msg":184467440737095516170,"cause":184467440737095516170}"#;
    let error = answers([(409, vec![], body)]).shop().get(&types::GetRequest { id: 1 }).await.unwrap_err();
    assert_eq!((error.message.as_str(), &error.cause), ("SoldOut", &None));
}

#[tokio::test]
async fn reads_texts_that_end_with_the_mark_of_large_integers() {
    let body = r#"{"text":"1234567890123456789\u0000","anything":{"12345678901234567890\u0000" : ["12345678901234567890\u0000","\u0000","\\u0000"]},"other":99999999999999999999}"#;
    let found = read(body).await.unwrap();
    assert_eq!(found.text.as_deref(), Some("1234567890123456789\0"));
    let anything = serde_json::json!({ "12345678901234567890\0": ["12345678901234567890\0", "\0", "\\u0000"] });
    assert_eq!(found.anything, Some(anything));
    assert!(read(r#"{"big":"1234567890123456789\u0000"}"#).await.is_err());
    let lost = |body| async move { answers([(410, vec![], body)]).edges().read().await.unwrap_err() };
    let error = lost(r#"{"error":"Lost","msg":"1234567890123456789\u0000","data":{"left":3,"note":"1234567890123456789\u0000"}}"#).await;
    let note = Some("1234567890123456789\0".to_owned());
    assert_eq!(Some(&error.message), note.as_ref());
    assert_eq!(error.kind, ErrorKind::Lost(Some(types::Loss { left: 3, note: note.clone(), details: None })));
    assert_eq!(error.data::<types::Loss>().unwrap().note, note);
    let error = lost(r#"{"error":"1234567890123456789\u0000"}"#).await;
    assert_eq!(error.name, "1234567890123456789\0");
    let error = lost(r#"{"error":99999999999999999999}"#).await;
    assert_eq!(error.reason, Some(Reason::BadResponse));
    let body = r#"{"error":"Lost","data":{"left":3,"details":[99999999999999999999,"a"],"other":99999999999999999999}}"#;
    let error = lost(body).await;
    let details = Some(serde_json::json!([1e20, "a"]));
    assert_eq!(error.kind, ErrorKind::Lost(Some(types::Loss { left: 3, note: None, details })));
    assert_eq!(error.data::<serde_json::Value>().unwrap()["other"].as_f64(), Some(1e20));
}

#[tokio::test]
async fn checks_large_patterns_with_functions_of_the_program() {
    let client = || answers([(200, vec![], "{}")]);
    let rename = async |title: &str| client().edges().rename(&types::RenameRequest { title: title.into() }).await;
    let error = rename("a").await.unwrap_err();
    assert!(error.to_string().contains("set_pattern"), "{error}");
    set_pattern(r"\A[\p{L}\p{N} ]{1,1000}\z", |text| text != "?");
    rename("a").await.unwrap();
    assert_eq!(rename("?").await.unwrap_err().reason, Some(Reason::Invalid));
}

#[tokio::test]
async fn loses_no_values() {
    for body in [r#"{"text":"\ud83d\ude00","ratio":1e400}"#, r#"{"small":1e300}"#, r#"{"ratio":1e400}"#] {
        let error = read(body).await.unwrap_err();
        assert_eq!(error.reason, Some(Reason::BadResponse), "{body}");
    }
    let digits = "1".repeat(310);
    let error = read(Box::leak(format!("{{\"ratio\":{digits}}}").into_boxed_str())).await.unwrap_err();
    assert_eq!(error.reason, Some(Reason::BadResponse), "{digits}");
    let found = read(r#"{"text":"\ud83d\ude00","small":1e30}"#).await.unwrap();
    assert_eq!((found.text.as_deref(), found.small), (Some("\u{1f600}"), Some(1e30)));
}

#[test]
fn shows_no_secrets_of_options() {
    let client = FeaturesClient::over("http://user:hunter2@host/", Fake::default());
    let client = client.with(|options| {
        options.headers.insert("x-key".to_owned(), "hunter2".to_owned());
        options.parameters.insert("tenant".to_owned(), "hunter2".to_owned());
        assert!(!format!("{options:?}").contains("hunter2"));
    });
    let shown = format!("{client:?}");
    assert!(!shown.contains("hunter2") && shown.contains("host"), "{shown}");
}

#[tokio::test]
async fn refuses_a_base_url_that_is_none() {
    for url in ["host", "ftp://host", "http://", "http://host:99999", "http://a b"] {
        let error = FeaturesClient::new(url).edges().read().await.unwrap_err();
        assert_eq!(error.reason, Some(Reason::Invalid), "{url}");
    }
}

#[tokio::test]
async fn repeats_calls_with_a_key_whose_answer_cannot_be_read() {
    for broken in [(200, vec![("x-broken", "gzip")], "{}"), (200, vec![], "{")] {
        let (fake, client) = Fake::giving([broken.clone(), (200, vec![], "{}")]);
        client.edges().pay().await.unwrap();
        let keys: Vec<_> = fake.seen.lock().unwrap().iter().map(|sent| sent.headers["idempotency-key"].clone()).collect();
        assert!(keys.len() == 2 && keys[0] == keys[1] && keys[0].len() == 34);
        let (_, client) = Fake::giving([broken]);
        assert_eq!(client.edges().read().await.unwrap_err().reason, Some(Reason::BadResponse));
    }
}

#[cfg(unix)]
#[test]
fn has_other_keys_after_a_fork() {
    use futures_util::FutureExt;
    use std::os::unix::process::CommandExt;

    fn key() -> String {
        let (fake, client) = Fake::giving([(200, vec![], "{}")]);
        client.edges().pay().now_or_never().unwrap().unwrap();
        let seen = fake.seen.lock().unwrap();
        seen[0].headers["idempotency-key"].clone()
    }

    key();
    let file = std::env::temp_dir().join(format!("ridlkit-fork-{}", std::process::id()));
    let path = file.clone();
    let mut command = std::process::Command::new("true");
    // The function runs in the process that was forked.
    unsafe { command.pre_exec(move || std::fs::write(&path, key())) };
    command.status().unwrap();
    let forked = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(forked.len() == 34 && forked != key());
}

/// Answers all requests at a port with a redirect to another one. Returns the headers of the first request there.
#[tokio::test]
async fn never_follows_redirects() {
    use std::io::{Read, Write};

    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", server.local_addr().unwrap());
    let address = url.clone();
    std::thread::spawn(move || {
        for connection in server.incoming() {
            let mut connection = connection.unwrap();
            let _ = connection.read(&mut [0; 4096]);
            let head = "HTTP/1.1 302 Found\r\ncontent-length: 0\r\nconnection: close\r\n";
            write!(connection, "{head}location: {address}/other\r\n\r\n").unwrap();
        }
    });
    let http = Http::from(reqwest::Client::builder().redirect(reqwest::redirect::Policy::limited(3)));
    let client = FeaturesClient::over(&url, http);
    let error = client.edges().read().await.unwrap_err();
    assert_eq!(error.status, 302);
}

#[tokio::test]
async fn sends_files_of_structs() {
    let (fake, client) = Fake::giving([(200, vec![], r#"{"count":1}"#)]);
    let sent = types::Sent { note: None, content: File::new("abc").named("hunter2").into() };
    client.edges().attach(&sent).await.unwrap();
    assert_eq!(fake.seen.lock().unwrap()[0].headers["content-length"].parse::<u32>().is_ok(), true);
    assert!(sent == sent.clone() && !format!("{sent:?}").contains("hunter2"));
}

#[tokio::test]
async fn sends_no_file_of_another_length() {
    for length in 1..=4 {
        let (fake, client) = Fake::giving([(200, vec![], r#"{"count":1}"#)]);
        let parts = || futures_util::stream::iter(["", "ab", "c", ""].map(|part| Ok(part.into()))).boxed();
        let content = File::from_parts(length, parts);
        client.edges().attach(&types::Sent { note: None, content: content.into() }).await.unwrap();
        let open = match &fake.seen.lock().unwrap()[0].body {
            Some(Body::Parts(open)) => open.clone(),
            _ => panic!("no parts"),
        };
        let sent: Vec<_> = open().collect().await;
        assert_eq!(sent.iter().all(Result::is_ok), length == 3, "{length}: {sent:?}");
        assert_eq!(sent.iter().filter(|part| part.is_err()).count(), usize::from(length != 3));
    }
}

#[tokio::test]
async fn sends_no_empty_file_that_has_grown() {
    for content in [None, Some("a")] {
        let (fake, client) = Fake::giving([(200, vec![], "{}")]);
        let client = client.with(|options| options.retry = None);
        let parts = move || futures_util::stream::iter(content.map(|part| Ok(part.into()))).boxed();
        let sent = usize::from(content.is_none());
        let request = types::StoreRequest { id: 1, content: File::from_parts(0, parts) };
        let result = client.edges().store(&request).await;
        assert_eq!(result.is_ok(), sent == 1, "{result:?}");
        assert_eq!(fake.seen.lock().unwrap().len(), sent);
    }
}

#[tokio::test]
async fn keeps_no_files_of_requests_while_it_downloads() {
    let (fake, client) = Fake::giving([(200, vec![], "abc")]);
    let content = std::sync::Arc::new(());
    let file = {
        let content = content.clone();
        File::from_parts(0, move || {
            let _ = &content;
            futures_util::stream::empty().boxed()
        })
    };
    let download = client.edges().convert(&types::ConvertRequest { content: file }).await.unwrap();
    fake.seen.lock().unwrap().clear();
    assert_eq!(std::sync::Arc::strong_count(&content), 1);
    assert_eq!(download.read().await.unwrap(), b"abc");
}
