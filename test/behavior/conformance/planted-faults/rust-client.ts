import { faultsIn, type PlantedFault } from "./fault.js";

/** Faults of clients in Rust. */
export const rustClient: readonly PlantedFault[] = [
  ...faultsIn("rest.rs", {
    "sends items with commas": [
      "items.iter().any(|item| item.contains(','))",
      "false",
    ],
    "does not encode values": [
      "utf8_percent_encode(text, RESERVED)",
      "utf8_percent_encode(text, percent_encoding::CONTROLS)",
    ],
    "drops fixed pairs of queries": [
      "None => vec![slot.value.clone()],",
      "None => vec![],",
    ],
    "sends a pair for each item of a joined list": [
      'texts = vec![texts.join(",")];',
      "",
    ],
    "sends fields of the path in bodies": [
      ".chain(names_in(&method.path))",
      "",
    ],
    "ignores headers of responses": [
      "add_headers(&mut members, headers, &rest.response_headers)?;",
      "",
    ],
    "sends another verb": ["self.verb.clone_from(&rest.verb);", ""],
    "accepts dots in paths": [`"" | "." | ".."`, `""`],
  }),
  ...faultsIn("unions.rs", {
    "takes another variant": [
      "position(is_variant);\n        return",
      "position(|each| !is_variant(each));\n        return",
    ],
  }),
  ...faultsIn("options.rs", {
    "does not reconnect": [
      "if failures >= self.attempts || !(is_lost",
      "if true || !(is_lost",
    ],
    "fails calls with a key whose answer is cut": [
      "let is_lost = has_key && is_unreadable",
      "let is_lost = false && has_key && is_unreadable",
    ],
    "repeats no errors that name a delay": [
      " || error.retry_after.is_some();",
      ";",
    ],
  }),
  ...faultsIn("errors.rs", {
    "drops data of errors": [
      "value.clone(), true).ok()",
      "value.clone(), true).ok().filter(|_| false)",
    ],
    "reads codes that are text": [
      ".filter(|code| !code.is_string())",
      ".filter(|_| true)",
    ],
  }),
  ...faultsIn("events.rs", {
    "drops returns at ends of lines": [
      "has_returns && *each == b'\\r'",
      "false && *each == b'\\r'",
    ],
    "ignores the end of events": [
      "if is_cut && !self.is_over",
      "if is_cut && !self.has_events && !self.is_over",
    ],
    "ignores that the end is missing": [
      "if is_cut && !self.is_over",
      "if is_cut && self.has_events && !self.is_over",
    ],
  }),
  ...faultsIn("streams.rs", {
    "resumes at the beginning": ["request.insert(name, cursor);", ""],
    "drops errors of events": [
      'if event.name == "error"',
      'if event.name == "?"',
    ],
  }),
  ...faultsIn("client.rs", {
    "has no time limit": [
      "Timeout::After(limit) => Some(limit),",
      "Timeout::After(limit) => Some(limit * 1000),",
    ],
    "does not check responses": [
      "let is_checked = self.options.check_responses;",
      "let is_checked = false;",
    ],
  }),
  ...faultsIn("attempts.rs", {
    "sends no Accept": ['set("accept", "application/json, */*;q=0.1")', "()"],
    "drops schemes of credentials": [
      'format!("{} {value}", place.scheme)',
      "value.to_owned()",
    ],
    "sends no contract": [
      "if let Some(header) = &self.host.header",
      "if let (Some(header), true) = (&self.host.header, false)",
    ],
    "sends no content type": ['set("content-type", media_type);', ""],
    "reads streams of any type": [
      "kind.is_none_or(|kind| kind.contains(expected))",
      "kind.is_none_or(|kind| kind.contains(expected) || true)",
    ],
    "repeats calls that change something": [
      "(method.is_safe || method.has_key) && !reconnects",
      "!reconnects",
    ],
    "does not repeat calls": [
      "let retry = given.unwrap_or(&once);",
      "let retry = given.filter(|_| false).unwrap_or(&once);",
    ],
    "ignores given keys": [
      "match &self.options.idempotency_key {",
      "match &None::<String> {",
    ],
    "gives up calls that are still running": [
      "if is_running && error.name == REQUEST_FAILED",
      "if is_running && error.name != REQUEST_FAILED",
    ],
    "takes errors for responses": [
      "let is_success = (200..300).contains(&status);",
      "let is_success = status > 0;",
    ],
  }),
  ...faultsIn("http.rs", {
    "follows redirects": [
      "reqwest::redirect::Policy::none()",
      "reqwest::redirect::Policy::default()",
    ],
  }),
  ...faultsIn("attempts.rs", {
    "waits after every conflict": [
      "if is_running && error.name == REQUEST_FAILED {",
      "if is_running && !error.name.is_empty() {",
    ],
    "sends the same key for all calls": [
      "None => random_text().map_err(Error::invalid)?,",
      'None => random_text().map_err(Error::invalid)?.replace(|_: char| true, "0"),',
    ],
    "lets callers replace the type of streams": [
      'is_stream && name.eq_ignore_ascii_case("accept")',
      "is_stream && name.is_empty()",
    ],
    "does not limit the time of bodies": [
      "self.read_all(&mut answer, limit).await",
      "self.read_all(&mut answer, None).await",
    ],
    "sends no keys": ['set("idempotency-key", key);', "let _ = key;"],
    "sends a key for each attempt": [
      "let answer = self.attempt(method, key.as_deref(),",
      "let key = key.as_ref().and_then(|_| self.key().ok());\n            let answer = self.attempt(method, key.as_deref(),",
    ],
    "sends no keys in queries": [
      "url.push_str(&pair(&place.parameter, &encode(value)));",
      "",
    ],
    "refuses streams without content": [
      "status == 204 || kind.is_none_or",
      "kind.is_none_or",
    ],
    "does not ask for the end of streams": [
      "application/x-ndjson;end=1, */*",
      "application/x-ndjson, */*",
    ],
  }),
  ...faultsIn("options.rs", {
    "repeats unreadable errors": [
      "is_unreadable && error.status < 300;",
      "is_unreadable;",
    ],
    "waits for as long as the server asks": [
      "let is_long = delay > self.max_backoff || left",
      "let is_long = left",
    ],
    "repeats unreadable responses without a key": [
      "let is_lost = has_key && is_unreadable",
      "let is_lost = is_unreadable",
    ],
    "reconnects after any error": [
      "if failures >= self.attempts || !(is_lost || error.is_passing())",
      "if failures >= self.attempts || (is_lost && false)",
    ],
  }),
  ...faultsIn("streams.rs", {
    "continues after the first item": [
      "request.insert(name, cursor);",
      "request.entry(name).or_insert(cursor);",
    ],
    "counts failures across items": [
      "self.failures = 0;\n                    return Ok(item);",
      "return Ok(item);",
    ],
    "takes cut lines for bad ones": [
      "if event.is_rest =>",
      "if event.is_rest && false =>",
    ],
    "ignores the status of errors in streams": [
      "status.filter(is_valid)",
      "status.filter(is_valid).filter(|_| false)",
    ],
  }),
  ...faultsIn("events.rs", {
    "takes errors in streams for items": [
      'text.starts_with(b"[") || !self.has_end && is_failed().is_some()',
      'text.starts_with(b"[") || false && is_failed().is_some()',
    ],
    "reads after the end": [
      'self.is_over = text == b"[]";',
      'self.is_over = text == b"[ ]";',
    ],
  }),
  ...faultsIn("rest.rs", {
    "sends forms as JSON": [
      'self.set_text("application/x-www-form-urlencoded", text)',
      'self.set_text("application/json", text)',
    ],
  }),
  ...faultsIn("unions.rs", {
    "refuses variants that it does not know": [
      "known.or(union.open.then_some(variants.len()))",
      "known",
    ],
  }),
  ...faultsIn("json.rs", {
    "ignores what follows JSON": [
      "serde_json::from_str(&tidy(&text, infinite)).ok()",
      "let text = tidy(&text, infinite);\n    let first = serde_json::Deserializer::from_str(&text).into_iter().next();\n    first?.ok()",
    ],
    "drops null": [
      "match self.members.insert(key, to_json(value)?) {",
      "let made = to_json(value)?;\n        if made.is_null() {\n            return Ok(());\n        }\n        match self.members.insert(key, made) {",
    ],
    "rounds large integers": [
      "if is_plain && number.len() < 19 {\n        return None;\n    }",
      "if is_plain {\n        return number.parse::<f64>().ok().map(|number| number.to_string());\n    }",
    ],
  }),
  ...faultsIn("values.rs", {
    "sends bytes without padding": [
      "&STANDARD.encode(&self.0)",
      "STANDARD.encode(&self.0).trim_end_matches('=')",
    ],
  }),
  ...faultsIn("timestamp.rs", {
    "ignores offsets of times": [
      ".ok()?.to_utc()",
      ".ok()?.naive_local().and_utc()",
    ],
  }),
];
