import { faultsIn, type PlantedFault } from "./fault.js";

/** Faults of servers in Go. */
export const goServer: readonly PlantedFault[] = [
  ...faultsIn("credentials.go", {
    "accepts every credential": [
      "if errors.Is(err, ErrRejected) {",
      "if err = nil; errors.Is(err, ErrRejected) {",
    ],
    "accepts calls without a credential": [
      "return rejected.WithCause(credential.describeMissing())",
      "return nil",
    ],
    "ignores schemes": [
      '!strings.EqualFold(value[:n+1], credential.Scheme+" ")',
      "false",
    ],
    "reads schemes as they are written": [
      '!strings.EqualFold(value[:n+1], credential.Scheme+" ")',
      'value[:n+1] != credential.Scheme+" "',
    ],
    "takes the last of two cookies": [
      "values := cookiesIn(value, credential.Cookie); len(values) == 1 {\n\t\t\treturn values[0]",
      "values := cookiesIn(value, credential.Cookie); len(values) > 0 {\n\t\t\treturn values[len(values)-1]",
    ],
    "takes the last of two keys": [
      "isRepeated || !decoded.isUTF8",
      "isRepeated && !decoded.isUTF8",
    ],
    "verifies all alternatives": [
      "!slices.Contains(keys, credential.key())",
      "keys == nil",
    ],
    "treats a wrong credential as none": [
      "m.OptionalCredentials && !slices.ContainsFunc(m.Credentials, c.isSent)",
      "m.OptionalCredentials",
    ],
    "requires optional credentials": ["if m.OptionalCredentials", "if false"],
    "shares responses with a key in the query": [
      'return "private, " + cacheControl',
      "return cacheControl",
    ],
  }),
  ...faultsIn("rest_server.go", {
    "accepts more than 1,000 parameters": [
      "const maxPairs = 1000",
      "const maxPairs = 1_000_000_000",
    ],
    "reads plus signs in queries as they are": [
      "case text[i] == '+':",
      "case text[i] == 0:",
    ],
    "takes the last of several values": [
      "if fault == nil && f.item == nil && len(texts) > 1 {",
      "if len(texts) > 1 && f.item == nil { texts = texts[len(texts)-1:] }; if false {",
    ],
    "accepts every content type": [
      "!strings.EqualFold(strings.TrimSpace(kind), wanted)",
      'kind == "?"',
    ],
    "compares content types exactly": [
      "!strings.EqualFold(strings.TrimSpace(kind), wanted)",
      "kind != wanted",
    ],
    "requires no content type": [
      "case len(types) == 0 && !mayLack:",
      "case len(types) == 0 && !mayLack && len(wanted) == 0:",
    ],
    "reads compressed bodies": [
      'if coding == "" || strings.EqualFold(coding, "identity") {',
      "if true {",
    ],
    "accepts sessions on pages of other sites": [
      'site == "cross-site" || site == "same-site"',
      'site == "cross-site"',
    ],
    "accepts origins of others": [
      'if origin := header.Get("Origin"); origin != "" && !c.isOwn(origin) {',
      'if origin := header.Get("Origin"); origin == "?" {',
    ],
    "ignores the port of origins": ["own.Host)\n", "own.Hostname())\n"],
    "lets bodies replace fields of the path": [
      "return objectOf(free, fields), nil",
      "return objectOf(append(free, membersOf(body)...), fields), nil",
    ],
    "requires bodies": [
      'return []byte("{}"), nil\n	}\n	r := reader',
      "}\n	r := reader",
    ],
    "accepts lists as bodies": [
      "} else if first != '{' {",
      "} else if first == 0 {",
    ],
    "sends another status": [
      "s = success{p.Status, http.Header{}",
      "s = success{http.StatusOK, http.Header{}",
    ],
    "sends no fields in headers": [
      "} else if len(texts) > 0 {\n			s.header.Set(each.Name, text)",
      "} else if len(texts) > 99 {\n			s.header.Set(each.Name, text)",
    ],
    "sends a body with 204": [
      "if !hasBody || s.status == http.StatusNoContent || s.status == http.StatusResetContent {",
      "if !hasBody {",
    ],
  }),
  ...faultsIn("call.go", {
    "ignores deadlines of clients": [
      "err == nil && len(announced) <= 10 {",
      "err == nil && len(announced) > 10 {",
    ],
    "lets clients extend deadlines": [
      "c.limits.Timeout = min(c.limits.Timeout, time.Duration(ms)*time.Millisecond)",
      "c.limits.Timeout = time.Duration(ms) * time.Millisecond",
    ],
    "accepts dots as values of paths": [
      'case value == "." || value == "..":',
      'case value == "?":',
    ],
    "does not validate requests": [
      "if c.request.checkFiles(&r.report, request.Elem()); r.count() > 0 {",
      "if c.request.checkFiles(&r.report, request.Elem()); r.count() > 99 {",
    ],
    "accepts lists as requests": [
      "isFine := first == '{' ||",
      "isFine := first == '{' || first == '[' ||",
    ],
    "accepts text after a request": ["if r.end(); r.fault", "if r.fault"],
    "does not validate responses": [
      "if w.count() > 0 {\n		return nil, &responseError",
      "if w.count() > 99 {\n		return nil, &responseError",
    ],
  }),
  ...faultsIn("respond.go", {
    "sends other statuses of errors": [
      "return success{e.Status, header, body}",
      "return success{http.StatusBadRequest, header, body}",
    ],
    "sends no challenge": ['header.Set("WWW-Authenticate", c.challenge())', ""],
    "names no header in challenges": [
      'parameters = append(parameters, fmt.Sprintf("header=%q", name))',
      "",
    ],
    "shows secrets of errors": [
      "case e == nil || e.isReceived && !c.declares(e):\n		e = ErrInternalError",
      "case e == nil || e.isReceived && !c.declares(e):\n		e = ErrInternalError.WithCause(err.Error())",
    ],
    "stores errors in caches": ['header.Set("Cache-Control", "no-store")', ""],
    "sends no headers for caches": [
      'header.Set("Cache-Control", c.limits.CacheControl)',
      "",
    ],
    "does not vary by credentials": [
      'header.Set("Vary", strings.Join(headers, ", "))',
      "",
    ],
    "sends what the client has": [
      "if isKnown(c.http",
      "if false && isKnown(c.http",
    ],
    "sends errors in streams as responses of their own": [
      "case err != nil:\n			send(c.streamEnd(err))",
      "case err != nil:\n			c.abort()",
    ],
    "does not begin streams with a line feed": [
      "if c.beginStream(); !send(c.item(nil)) {",
      "if c.beginStream(); !send(nil) {",
    ],
    "takes no data of errors": [
      "fault := c.server.contract.printData(e, c.server.errorBody, isLine); fault != nil {",
      "fault := error(nil); fault != nil {",
    ],
  }),
  ...faultsIn("errors.go", {
    "sends no cause": [
      'if e.Cause != "" {\n		out =',
      'if e.Cause == "?" {\n		out =',
    ],
    "sends no codes": [
      'strconv.AppendInt(append(out, `,"code":`...), int64(e.Code), 10)',
      'strconv.AppendInt(append(out, `,"code":`...), 0, 10)',
    ],
  }),
  ...faultsIn("events.go", {
    "sends streams without their type": [
      'header.Set("Content-Type", kind)',
      "",
    ],
    "lets proxies hold items back": [
      'header.Set("X-Accel-Buffering", "no")',
      "",
    ],
    "announces no end": [
      "if c.hasEnd {\n		kind += endParameter",
      "if false {\n		kind += endParameter",
    ],
  }),
  ...faultsIn("server.go", {
    "accepts bodies of any size": [
      "cmp.Or(own.MaxBody, s.options.MaxBody, 1<<20),",
      "1 << 40,",
    ],
    "does not say which verbs it allows": [
      'header.Set("Allow", allow)',
      "_ = allow",
    ],
    "takes other verbs for unknown paths": [
      "} else if verbs == nil {",
      "} else if true {",
    ],
  }),
  ...faultsIn("router.go", {
    "prefers the first pattern": [
      "slices.SortFunc(r.patterns,",
      "slices.SortFunc(r.patterns[:0],",
    ],
  }),
  ...faultsIn("request_body.go", {
    "reports large bodies as bad requests": [
      "badRequest(http.StatusRequestEntityTooLarge,",
      "badRequest(http.StatusBadRequest,",
    ],
  }),
  ...faultsIn("struct.go", {
    "takes null for a missing field": [
      "isNull := !f.takesNull && (f.Optional || f.Nullable) &&",
      "isNull := !f.takesNull &&",
    ],
    "sends null for absent fields": [
      "if isNil && f.Optional {\n			continue\n		}\n		if len(w.out) > start",
      "if isNil && f.Optional && false {\n			continue\n		}\n		if len(w.out) > start",
    ],
    "accepts requests without required fields": [
      "if !isSet[i] && !f.Optional {",
      "if !isSet[i] && !f.Optional && f.Hidden {",
    ],
  }),
];
