import { faultsIn, type PlantedFault } from "./fault.js";

/** Faults of clients in Go. */
export const goClient: readonly PlantedFault[] = [
  ...faultsIn("rest.go", {
    "sends items with commas": [
      'if strings.Contains(item, ",") {',
      'if strings.Contains(item, "no") && strings.Contains(item, "comma") {',
    ],
    "encodes commas between items": [
      'strings.Join(escaped, ","), nil',
      'strings.Join(escaped, "%2C"), nil',
    ],
    "does not encode values": [
      'return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")',
      'if url.QueryEscape(text) == "a" { return text }; return text',
    ],
    "drops fixed pairs of queries": [
      "texts := []string{each.Text}",
      "texts := []string{}",
    ],
    "sends the first item of lists in queries": [
      "		for _, text := range texts {\n			add(",
      "		for _, text := range texts[:min(1, len(texts))] {\n			add(",
    ],
    "sends a pair for each item of a joined list": [
      "if each.Joined && len(texts) > 0 {",
      "if each.Joined && len(texts) > 99 {",
    ],
    "sends fields of the path in bodies": [
      "return slices.Contains(bound, m.name) })",
      'return slices.Contains(bound, m.name+"?") })',
    ],
    "sends forms as JSON": [
      'o.mediaType = "application/x-www-form-urlencoded"',
      'o.mediaType = "application/json"',
    ],
    "ignores content types of its own": [
      'if p != nil && p.MediaType != "" {',
      'if p != nil && p.MediaType == "?" {',
    ],
    "sends headers without their items": [
      '	return strings.Join(texts, ","), nil',
      '	return strings.Join(texts[:min(1, len(texts))], ","), nil',
    ],
    "sends other letters than those of ASCII in headers": [
      "return c < ' ' || c > '~' }",
      "return c < ' ' }",
    ],
  }),
  ...faultsIn("client.go", {
    "sends no Accept": [
      'request.Header.Set("Accept", "application/json, */*;q=0.1")',
      "",
    ],
    "does not ask for streams": ['request.Header.Set("Accept", o.accept)', ""],
    "sends no content type": [
      'request.Header.Set("Content-Type", o.mediaType)',
      "",
    ],
    "drops schemes of credentials": [
      'strings.TrimSpace(credential.Scheme+" "+value)',
      "strings.TrimSpace(value)",
    ],
    "drops keys in queries": [
      'keys = append(keys, escapeSegment(name)+"="+escapeSegment(strings.TrimSpace(value)))',
      "_ = name",
    ],
    "sends cookies without their names": [
      'credential.Cookie+"="+strings.TrimSpace(value)',
      "strings.TrimSpace(value)",
    ],
    "repeats calls that change something": [
      "isRepeatable := (m.Readonly || m.Idempotent || m.IdempotencyKey) &&",
      "isRepeatable := (m.Readonly || m.Idempotent || m.IdempotencyKey || true) &&",
    ],
    "makes one attempt more": [
      "failures >= retry.Attempts {",
      "failures > retry.Attempts {",
    ],
    "does not repeat calls after 429": [
      "[]int{429, 502, 503, 504}",
      "[]int{502, 503, 504}",
    ],
    "fails calls with a key whose answer is cut": [
      "isPassing := isLost || isAsked ||",
      "isPassing := isLost && false || isAsked ||",
    ],
    "does not repeat calls that were cut": [
      'e.Reason == "network" ||',
      'e.Reason == "?" ||',
    ],
    "gives up calls that are still running": [
      "if m.IdempotencyKey && retry.MaxDelay > 0 &&",
      "if m.IdempotencyKey && retry.MaxDelay < 0 &&",
    ],
    "refuses other successes than 200": [
      "isSuccess := response.StatusCode >= 200 && response.StatusCode <= 299",
      "isSuccess := response.StatusCode == 200",
    ],
    "accepts lists as responses": [
      'return &SyntaxError{"expected an object"}',
      "return nil",
    ],
    "does not check responses": [
      "	if c.isChecked {\n",
      "	if c.isChecked && false {\n",
    ],
    "sends no keys": [
      'if o.key != "" {\n		request',
      'if o.key == "?" {\n		request',
    ],
    "sends another verb": [
      "http.NewRequestWithContext(ctx, o.verb,",
      'http.NewRequestWithContext(ctx, map[bool]string{true: o.verb, false: "POST"}[o.verb == "GET"],',
    ],
  }),
  ...faultsIn("streams.go", {
    "refuses streams without content": [
      "if response.StatusCode == http.StatusNoContent {",
      "if response.StatusCode == http.StatusNoContent+1 {",
    ],
    "reads no items": [
      "isItem := len(text) > 0",
      "isItem := len(text) > 1<<20",
    ],
    "ignores that the end is missing": [
      "case e.isDone, !isLine && !isEnded,",
      "case e.isDone, !isLine,",
    ],
    "reads after the end": [
      '!m.Events && string(text) == "[]":',
      '!m.Events && string(text) == "[ ]":',
    ],
    "takes errors in streams for items": [
      "if !isError {",
      "if !isError || true {",
    ],
    "takes cut lines for bad ones": [
      'case !bytes.HasSuffix(line, []byte("\\n")):',
      "case len(line) == 0:",
    ],
    "sends the first request again after a cut": [
      "failures, cursor = 0, c.cursorOf(m, item)",
      "failures = 0",
    ],
    "opens streams again after any error": [
      "isPassing := isLost ||",
      "isPassing := e != nil ||",
    ],
    "opens no stream again": [
      "if c.reconnect == nil || !isPassing ||",
      "if c.reconnect == nil || isPassing ||",
    ],
  }),
  ...faultsIn("files.go", {
    "sends files without their names": [
      "quoteHeader.Replace(part), quoteHeader.Replace(name),",
      "quoteHeader.Replace(part), quoteHeader.Replace(field),",
    ],
    "sends uploads without their fields": [
      "for _, pair := range texts {\n		if err := form.WriteField",
      "for _, pair := range texts[:0] {\n		if err := form.WriteField",
    ],
    "sends files without their type": [
      '"Content-Type": {kind},',
      '"Content-Type": {"text/x"},',
    ],
    "ignores names of downloads": [
      'Name:    parameters["filename"],',
      'Name:    parameters["name"],',
    ],
    "ignores types of downloads": [
      'Type:    response.Header.Get("Content-Type"),',
      'Type:    "text/x",',
    ],
  }),
  ...faultsIn("client.go", {
    "follows redirects": ["return http.ErrUseLastResponse", "return nil"],
    "waits after every conflict": [
      "errors.Is(err, ErrRequestFailed) && failure.Status == 409",
      "failure.Status == 409",
    ],
    "sends the same key for all calls": [
      "idempotencyKey{}, randomID())",
      'idempotencyKey{}, strings.Repeat("0", 64))',
    ],
    "waits for as long as the server asks": [
      "delay > retry.MaxDelay || hasDeadline",
      "hasDeadline",
    ],
    "lets callers replace the type of streams": [
      'if o.accept != "" {\n',
      'if o.accept != "" && request.Header.Get("Accept") == "" {\n',
    ],
    "repeats unreadable responses without a key": [
      'isLost := o.key != "" && failure',
      "isLost := failure",
    ],
    "does not limit the time of bodies": [
      "response, err := withKeys(o.http, keys).Do(request)",
      "own, end := context.WithCancel(context.WithoutCancel(ctx))\n\tstop := context.AfterFunc(ctx, end)\n\tresponse, err := withKeys(o.http, keys).Do(request.WithContext(own))\n\tstop()",
    ],
  }),
  ...faultsIn("streams.go", {
    "continues after the first item": [
      "failures, cursor = 0, c.cursorOf(m, item)",
      "if failures = 0; !cursor.IsValid() { cursor = c.cursorOf(m, item) }",
    ],
    "counts failures across items": [
      "failures, cursor = 0, c.cursorOf",
      "cursor = c.cursorOf",
    ],
  }),
  ...faultsIn("json.go", {
    "ignores what follows JSON": [
      'if r.end(); r.fault != "" {\n\t\treturn &SyntaxError',
      'if r.fault != "" {\n\t\treturn &SyntaxError',
    ],
  }),
  ...faultsIn("struct.go", {
    "drops null": ["if isNil && f.Optional {\n", "if isNil {\n"],
  }),
  ...faultsIn("unions.go", {
    "refuses variants that it does not know": [
      "if u.other != nil && slices.ContainsFunc(u.tags,",
      "if u.other != nil && slices.ContainsFunc(u.tags[:0],",
    ],
  }),
  ...faultsIn("scalars.go", {
    "sends bytes without padding": [
      "strict.AppendEncode(append(out, '\"'), v)",
      'bytes.TrimRight(strict.AppendEncode(append(out, \'"\'), v), "=")',
    ],
    "ignores offsets of times": [
      "if t = t.UTC(); isLeap {",
      "if t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC); isLeap {",
    ],
    "rounds large integers": [
      "if err == nil {\n\t\t\t\treturn n, n >= least",
      "if err == nil && len(text) < 17 {\n\t\t\t\treturn n, n >= least",
    ],
  }),
];
