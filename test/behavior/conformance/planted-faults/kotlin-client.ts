import { faultsIn, type PlantedFault } from "./fault.js";

/** Faults of clients in Kotlin. */
export const kotlinClient: readonly PlantedFault[] = [
  ...faultsIn("Rest.kt", {
    "sends items with commas": [
      'if (items.any { "," in it }) refuse',
      "if (items.isEmpty()) refuse",
    ],
    "drops fixed pairs of queries": [
      "if (part.field == null) listOf(part.text)",
      "if (part.field == null) emptyList()",
    ],
    "sends fields of the path in bodies": [
      "return JsonObject(members - bound.toSet())",
      "return JsonObject(members)",
    ],
    "drops brackets of lists in forms": [
      "value.map { name + mark to",
      "value.map { name to",
    ],
    "ignores headers of responses": [
      "val added = fieldsIn(headers, responseHeaders) + ",
      "val added = emptyMap<String, JsonElement>() + ",
    ],
    "accepts statuses that it does not know": [
      "val field = if (isChosen) statuses[status] else body",
      "val field = if (isChosen) statuses.values.first() else body",
    ],
  }),
  ...faultsIn("Method.kt", {
    // The compiler copies the constant into the classes of other files.
    "does not ask for the end of streams": [
      "application/x-ndjson$END, */*",
      "application/x-ndjson, */*",
    ],
    "sends no Accept": [
      'else -> "application/json, */*;q=0.1"',
      "else -> null",
    ],
    "resumes at the beginning": [
      "if (resume == null || last == null) return given",
      "if (resume == null || last != null) return given",
    ],
    "does not check responses": [
      "if (isChecked) response.faultsIn(value) else emptyList()",
      "emptyList<String>().filter { isChecked }",
    ],
    "drops the beginning of bad responses": [
      "text.removePrefix(BYTE_ORDER_MARK).take(500)",
      '"".take(500)',
    ],
  }),
  ...faultsIn("Rpc.kt", {
    "sends no keys in queries": [
      'if (place.startsWith("?")) url.add',
      'if (place == "?") url.add',
    ],
    "drops schemes of credentials": [
      "val text = (credential.prefix + value.trim()).trim()",
      "val text = value",
    ],
    "repeats calls that change something": [
      ".takeIf { (method.isSafe || method.hasKey) && !isReconnecting }",
      ".takeIf { !isReconnecting }",
    ],
    "does not repeat calls": [
      "val retry = given ?: Retry(attempts = 1)",
      "val retry = Retry(attempts = 1)",
    ],
    "sends a key for each attempt": [
      "return attempt(method, message, key, limit, end, opens)",
      "return attempt(method, message, key?.let { quoteKey(randomKey()) }, limit, end, opens)",
    ],
    "gives up calls that are still running": [
      "if (given != null && key != null && error.name ==",
      "if (given != null && key != null && key == error.name && error.name ==",
    ],
    "reads streams of any type": [
      'opens in (response.header("Content-Type") ?: opens).lowercase()',
      "opens == opens",
    ],
    "has no time limit": [
      "withTimeoutOrNull(limit) {",
      "withTimeoutOrNull(Long.MAX_VALUE - limit) {",
    ],
  }),
  ...faultsIn("Streams.kt", {
    "reads after the end": ['text == "[]" -> finish()', 'text == "[]" -> null'],
    "takes errors in streams for items": [
      '!isAnnounced && json is JsonObject && "webrpcError" in json',
      'isAnnounced && json is JsonObject && "webrpcError" in json',
    ],
    "ignores that the end is missing": [
      "return if (item == null && isAnnounced && !isOver) throw endless() else item",
      "return item",
    ],
    "drops errors of events": [
      'found.data != null && found.name == "error" ->',
      'found.data != null && found.name == "errors" ->',
    ],
  }),
  ...faultsIn("Options.kt", {
    "does not reconnect": [
      "if (failures >= attempts || !(error.isStreamLost",
      "if (failures <= attempts || !(error.isStreamLost",
    ],
    "fails calls with a key whose answer is cut": [
      "val isLost = hasKey &&",
      "val isLost = !hasKey &&",
    ],
    "repeats no errors that name a delay": [
      "isPassing(error) || isLost || asked != null",
      "isPassing(error) || isLost",
    ],
  }),
  ...faultsIn("Errors.kt", {
    "reads no data of errors": [
      'val data = kind?.readData(members["data"], headers)',
      "val data = null",
    ],
    "ignores the status of errors in streams": [
      "return number?.takeIf { it in least..599 } ?: otherwise",
      "return number?.takeIf { it < least } ?: otherwise",
    ],
  }),
  ...faultsIn("Structs.kt", {
    "takes null of a field for absent": [
      "member is JsonNull && isPresent -> Present(null)",
      "member is JsonNull && isPresent -> null",
    ],
  }),
  ...faultsIn("Limits.kt", {
    "checks no lengths": [
      "expected.takeUnless { accepts(type.sizeOf(value).toLong()) }",
      "expected.takeIf { type.sizeOf(value) < 0 && accepts(0) }",
    ],
  }),
  ...faultsIn("Rpc.kt", {
    "continues after the first item": [
      "last = items.last",
      "last = last ?: items.last",
    ],
    "counts failures across items": [
      "                    failures = 0\n                    last",
      "                    last",
    ],
    "waits after every conflict": [
      'error.name == "WebrpcRequestFailed" && error.status == 409',
      "error.status == 409",
    ],
    "sends the same key for all calls": [
      "options.idempotencyKey ?: randomKey()",
      'options.idempotencyKey ?: randomKey().replace(Regex("."), "0")',
    ],
    "ignores given keys": [
      "options.idempotencyKey ?: randomKey()",
      "randomKey()",
    ],
    "lets callers replace the type of streams": [
      'if (opens.isNullOrEmpty() || !name.equals("accept", ignoreCase = true)) headers',
      "headers",
    ],
    "does not limit the time of bodies": [
      "val bytes = call.io(TransportReason.NETWORK) { if (source.request(excess)) null else source.readByteArray() }",
      "val bytes = withContext(NonCancellable) { call.io(TransportReason.NETWORK) { if (source.request(excess)) null else source.readByteArray() } }",
    ],
    "takes errors for responses": [
      "val isSuccess = response.isSuccessful\n",
      "val isSuccess = status > 0\n",
    ],
    "refuses streams without content": [
      "response.code == 204 || opens in",
      "opens in",
    ],
  }),
  ...faultsIn("Options.kt", {
    "repeats unreadable errors": [
      "hasKey && error.status < 300 && isUnreadable",
      "hasKey && isUnreadable",
    ],
    "waits for as long as the server asks": [
      "it > millis(maxBackoff) || it >= left",
      "it >= left",
    ],
    "repeats unreadable responses without a key": [
      "val isLost = hasKey && error",
      "val isLost = (hasKey || !hasKey) && error",
    ],
    "reconnects after any error": [
      "if (failures >= attempts || !(error.isStreamLost || isPassing(error))) throw",
      "if (failures >= attempts) throw",
    ],
  }),
  ...faultsIn("Transport.kt", {
    "follows redirects": [".followRedirects(false)", ".followRedirects(true)"],
  }),
  ...faultsIn("Structs.kt", {
    "refuses variants that it does not know": [
      "if (wrapUnknown == null || json",
      "if (wrapUnknown == null || tag != null || json",
    ],
    "drops null": [
      "else JsonNull.takeUnless { isOptional && part == null }",
      "else null",
    ],
  }),
  ...faultsIn("Json.kt", {
    "ignores what follows JSON": [
      "Json.parseToJsonElement(text)",
      'Json.parseToJsonElement(if (text.trimStart().startsWith("{")) text.substringBeforeLast("}") + "}" else text)',
    ],
  }),
  ...faultsIn("Types.kt", {
    "sends bytes without padding": [
      "JsonPrimitive(value.base64())",
      "JsonPrimitive(value.base64().trimEnd('='))",
    ],
    "ignores offsets of times": [
      'if (sign == "-") -offset else offset',
      'if (sign == "?") -offset else offset',
    ],
    "rounds large integers": [
      "literalOf(json)?.toLongOrNull() ?:",
      "literalOf(json)?.toLongOrNull()?.toDouble()?.toLong() ?:",
    ],
  }),
  ...faultsIn("Rest.kt", {
    "does not encode values": [
      "special.replace(text)",
      'Regex("#").replace(text)',
    ],
    "sends a pair for each item of a joined list": [
      "if (part.isJoined && texts.isNotEmpty())",
      "if (part.isJoined && texts.isEmpty())",
    ],
    "sends another verb": ["return Message(verb,", 'return Message("POST",'],
    "sends forms as JSON": [
      'textBody(form, "application/x-www-form-urlencoded")',
      "textBody(form, JSON_TYPE)",
    ],
  }),
  ...faultsIn("Streams.kt", {
    "takes cut lines for bad ones": [
      'throw transportError(TransportReason.STREAM_LOST, "the last line is incomplete", cause = error)',
      "throw error",
    ],
  }),
];
