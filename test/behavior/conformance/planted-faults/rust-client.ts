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
];
