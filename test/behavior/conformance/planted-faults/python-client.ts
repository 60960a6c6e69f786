import { faultsIn, type PlantedFault } from "./fault.js";

/** Faults of clients in Python. */
export const pythonClient: readonly PlantedFault[] = [
  ...faultsIn("_rest.py", {
    "sends items with commas": [
      'if any("," in item for item in items):',
      "if False:",
    ],
    "does not encode values": [
      'return quote(text, safe="!*\'()")',
      "return text",
    ],
    "drops fixed pairs of queries": [
      "texts = [encode(source.text)]",
      "texts = []",
    ],
    "sends a pair for each item of a joined list": [
      'texts = [",".join(texts)]',
      "pass",
    ],
    "drops queries": [
      'return "?" + "&".join(pairs) if pairs else ""',
      'return ""',
    ],
    "sends fields of the path in bodies": [
      "for name, value in members.items() if name not in bound}]",
      "for name, value in members.items()}]",
    ],
    "sends forms as JSON": [
      'self.media_type if self.list_mark is None else "application/x-www-form-urlencoded"',
      "self.media_type",
    ],
    "drops brackets of lists in forms": ["name + list_mark)]", "name)]"],
    "ignores headers of responses": [
      "added.update(fields_in(headers, self.response_headers))",
      "pass",
    ],
    "accepts statuses that it does not know": [
      "body = self.statuses[status]",
      "body = next(iter(self.statuses.values()))",
    ],
    "sends another verb": [
      "return Message(body, media_type, self.verb,",
      'return Message(body, media_type, "POST",',
    ],
  }),
  ...faultsIn("_keys.py", {
    "sends no keys in queries": ["    if not keys:", "    if True:"],
  }),
  ...faultsIn("_wire.py", {
    "sends no Accept": [
      'return {} if is_any else {"accept": "application/json, */*;q=0.1"}',
      "return {}",
    ],
    "does not ask for the end of streams": [
      'return {"accept": f"application/x-ndjson{END}, */*"}',
      'return {"accept": "application/x-ndjson, */*"}',
    ],
    "resumes at the beginning": [
      "else change(request, self.resume[0], cursor)",
      "else request",
    ],
    "takes errors in streams for items": ["if last == {}:", "if True:"],
    "does not check responses": [
      "self.response.model_validate(value) if is_checked else value",
      "value",
    ],
    "ignores the status of errors in streams": [
      "return int(status) if is_number and status in range(least, 600) else otherwise",
      "return otherwise",
    ],
    "drops the beginning of bad responses": [
      'content[:2000].decode("utf-8-sig", errors="replace")[:500]',
      '""',
    ],
  }),
  ...faultsIn("_options.py", {
    "does not reconnect": [
      "if failures >= self.attempts or not (is_lost or is_passing(error)):",
      "if True:",
    ],
    "reconnects after any error": [
      "if failures >= self.attempts or not (is_lost or is_passing(error)):",
      "if failures >= self.attempts:",
    ],
    "fails calls with a key whose answer is cut": [
      "is_lost = has_key and",
      "is_lost = False and has_key and",
    ],
    "repeats no errors that name a delay": [
      " or error.retry_after is not None):",
      "):",
    ],
  }),
  ...faultsIn("_runtime.py", {
    "follows redirects": ["follow_redirects=False", "follow_redirects=True"],
    "drops schemes of credentials": [
      "given[place] = prefix + str(value).strip()",
      "given[place] = str(value).strip()",
    ],
    "sends only one credential": [
      "            if value:\n                given[place]",
      "            if value and not given:\n                given[place]",
    ],
    "sends no content type": [
      'headers["content-type"] = message.media_type',
      "pass",
    ],
    "reads streams of any type": ["opens in kind", "True"],
    "refuses streams without content": ["status == 204 or ", ""],
    "ignores that the end is missing": [
      '        if is_ended:\n            raise TransportError("stream-lost", "it has no end")',
      "",
    ],
    "reads after the end": [
      "                        if text == _end_line:\n                            return\n",
      "",
    ],
    "reads no items": [
      "yield method.read_item(line, *rest)",
      "method.read_item(line, *rest)",
    ],
    "takes cut lines for bad ones": [
      'raise TransportError("stream-lost", "the last line is incomplete") from error',
      "raise",
    ],
    "repeats calls that change something": [
      'self._options.get("retry", Retry()) if method.is_safe or method.has_key else None',
      'self._options.get("retry", Retry())',
    ],
    "does not repeat calls": [
      "retry = given or Retry(attempts=1)",
      "retry = Retry(attempts=1)",
    ],
    "sends a key for each attempt": [
      "return await self._attempt(method, key, message,",
      "return await self._attempt(method, quote_key(token_hex()) if key else key, message,",
    ],
    "ignores given keys": [
      'self._options.get("idempotency_key", token_hex())',
      "token_hex()",
    ],
    "gives up calls that are still running": [
      "if given and method.has_key and error.name ==",
      "if False and error.name ==",
    ],
    "has no time limit": [
      "return time.monotonic() + (_never if timeout is None else timeout)",
      "return time.monotonic() + _never",
    ],
    "takes errors for responses": [
      "status, is_success = response.status_code, response.is_success",
      "status, is_success = response.status_code, True",
    ],
    "reports another status": [
      'error = error or TransportError("bad-response", cause, status)',
      'error = error or TransportError("bad-response", cause, 500)',
    ],
    "drops errors of events": ['if event.name == "error":', "if False:"],
    "ignores the end of events": ["if events.end():", "if False:"],
    "sends headers of a call twice": [
      'headers = {"accept-encoding": "gzip, deflate", **own}',
      'headers = {"accept-encoding": "gzip, deflate", "x-more": "1", **own}',
    ],
  }),
  ...faultsIn("_runtime.py", {
    "continues after the first item": [
      "cursor = method.cursor_of(item)",
      "cursor = cursor or method.cursor_of(item)",
    ],
    "counts failures across items": [
      "                            failures = 0\n                            if",
      "                            if",
    ],
    "waits after every conflict": [
      'error.name == "WebrpcRequestFailed" and error.status == 409',
      "error.status == 409",
    ],
    "sends the same key for all calls": [
      'self._options.get("idempotency_key", token_hex())',
      'self._options.get("idempotency_key", "0" * 64)',
    ],
    "lets callers replace the type of streams": [
      "                headers |= method.accept(opens)",
      "                pass",
    ],
    "does not limit the time of bodies": [
      'receive(response, "network", deadline)',
      'receive(response, "network", _never)',
    ],
  }),
  ...faultsIn("_options.py", {
    "waits for as long as the server asks": [
      "None if delay > self.max_backoff or delay",
      "None if delay",
    ],
    "repeats unreadable responses without a key": [
      "is_lost = has_key and error",
      "is_lost = error",
    ],
  }),
  ...faultsIn("_wire.py", {
    "drops null": [
      "exclude_unset=True, exclude=exclude",
      "exclude_unset=True, exclude_none=True, exclude=exclude",
    ],
  }),
  ...faultsIn("_values.py", {
    "sends bytes without padding": [
      "base64.b64encode(value).decode()",
      'base64.b64encode(value).decode().rstrip("=")',
    ],
    "refuses variants that it does not know": [
      "self._indexes.get(_key(tag), str(len(self._variants)))",
      "self._indexes.get(_key(tag))",
    ],
    "ignores what follows JSON": [
      "model.model_validate_json(text,",
      'model.model_validate_json(text[: text.rfind(b"}") + 1],',
    ],
    "ignores offsets of times": [
      "return time.astimezone(timezone.utc)",
      "return time.replace(tzinfo=timezone.utc)",
    ],
    "rounds large integers": [
      'return cs.union_schema([cs.int_schema(strict=True, ge=least, le=most), whole], mode="left_to_right")',
      "return whole",
    ],
  }),
];
