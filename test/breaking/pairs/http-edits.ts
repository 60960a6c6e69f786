import type { Random } from "../../support/random.js";
import {
  drawField,
  drawHeaderFields,
  drawHeaderName,
  drawSegment,
  verbs,
} from "./draw-sketch.js";
import {
  fieldsOf,
  type Sketch,
  type SketchField,
  type SketchHttp,
  type SketchMethod,
  type SketchPair,
} from "./sketch.js";
import { drawStatuses, settleStatuses } from "./statuses.js";

type Edit = (sketch: Sketch, random: Random) => void;
type Edits = readonly [Edit, ...Edit[]];

/** Edits an address with `@http` and the fields of its request. */
function onHttp(
  edit: (http: SketchHttp, fields: SketchField[], random: Random) => void,
): Edit {
  return (sketch, random) => {
    const methods = sketch.services.flatMap((service) => service.methods);
    const { http, input } =
      random.maybeOneOf(methods.filter((each) => each.http !== null)) ?? {};
    if (http && input) edit(http, fieldsOf(sketch, input), random);
  };
}

/** Edits of addresses with `@http`. */
export const httpEdits: Edits = [
  onHttp((http, _, random) => {
    http.verb = random.oneOf(verbs);
  }),
  onHttp((http, _, random) => {
    http.status = random.oneOf([200, 201, 202]);
  }),
  onHttp(({ query }, _, random) => {
    // Rename a parameter, but not its field.
    const pair = random.maybeOneOf(query);
    if (pair) pair.name = random.oneOf(["m", "n", "fix"]);
  }),
  onHttp(({ query }, fields, random) => {
    // Rename a field, but not its parameter.
    const pair = random.maybeOneOf(query);
    const field = fields.find(({ name }) => name === pair?.field);
    if (pair && field) pair.field = field.name = "o";
  }),
  onHttp(({ query }, _, random) => {
    // Exchange the fields of two parameters.
    const [one, other] = random.shuffled(query);
    if (one && other) [one.field, other.field] = [other.field, one.field];
  }),
  onHttp(({ query }, fields, random) => {
    const field = drawSegment(random, "o");
    field.isOptional = random.chance(0.6);
    fields.push(field);
    query.push({ name: random.oneOf(["o", "fix"]), field: "o" });
  }),
  onHttp(({ query }, fields, random) => {
    // Remove a parameter and its field.
    const [gone] = random.shuffled(query);
    if (gone === undefined) return;
    query.splice(query.indexOf(gone), 1);
    const at = fields.findIndex(({ name }) => name === gone.field);
    if (at !== -1) fields.splice(at, 1);
  }),
  onHttp(({ query }, fields, random) => {
    // Move a field from the query to the body, or in the other direction.
    const inQuery = query.findIndex(({ field }) => field !== null);
    if (inQuery !== -1) return void query.splice(inQuery, 1);
    const { name } = random.maybeOneOf(fields) ?? {};
    if (name) query.push({ name, field: name });
  }),
  onHttp((http) => {
    const fixed = http.query.some(({ field }) => field === null);
    http.query = fixed
      ? http.query.filter(({ field }) => field !== null)
      : [...http.query, { name: "fix", field: null }];
  }),
  onHttp((http, fields, random) => {
    http.whole =
      http.whole === null ? (random.maybeOneOf(fields)?.name ?? null) : null;
  }),
  onHttp((http, fields) => {
    // Rename the field that is the whole body.
    const field = fields.find(({ name }) => name === http.whole);
    if (field) http.whole = field.name = "whole";
  }),
];

/** Edits the statuses of a success, and makes the outputs fit them. */
function onStatuses(
  edit: (
    http: SketchHttp,
    fields: SketchField[],
    random: Random,
    method: SketchMethod,
  ) => void,
): Edit {
  return (sketch, random) => {
    const methods = sketch.services.flatMap((service) => service.methods);
    const method = random.maybeOneOf(methods.filter(({ http }) => http));
    if (!method?.http) return;
    const fields = fieldsOf(sketch, method.output);
    edit(method.http, fields, random, method);
    settleStatuses(method, fields);
  };
}

/** Edits of the statuses of a success. */
export const statusEdits: Edits = [
  onStatuses(({ statuses }, fields, random) => {
    // Add a status with a body that exists.
    const added = drawStatuses(random, fields).filter((each) =>
      statuses.every(({ status }) => status !== each.status),
    );
    if (statuses.length > 0) statuses.push(...added.slice(0, 1));
  }),
  onStatuses(({ statuses }, fields, random) => {
    // Add a status with a body of its own.
    const free = [200, 201, 202].filter((number) =>
      statuses.every(({ status }) => status !== number),
    );
    const status = random.maybeOneOf(free);
    if (statuses.length === 0 || status === undefined) return;
    fields.push({ ...drawField(random, "k"), isOptional: true });
    statuses.push({ status, field: "k" });
  }),
  onStatuses(({ statuses }, _, random) => {
    if (statuses.length > 1) statuses.splice(random.below(statuses.length), 1);
  }),
  onStatuses(({ statuses }, _, random) => {
    // Exchange the bodies of two statuses.
    const [one, other] = random.shuffled(statuses);
    if (one && other) [one.field, other.field] = [other.field, one.field];
  }),
  onStatuses(({ statuses }, fields, random) => {
    // Change the body of a status, or remove it.
    const status = random.maybeOneOf(statuses);
    const [drawn] = drawStatuses(random, fields);
    if (status && drawn) status.field = drawn.field;
  }),
  onStatuses(({ statuses }, _, random) => {
    const status = random.maybeOneOf(statuses);
    if (status) status.status = random.oneOf([200, 201, 202, 206]);
  }),
  onStatuses(({ statuses }, fields, random) => {
    // Rename an output that is a body, but not its status.
    const name = random.maybeOneOf(statuses)?.field ?? null;
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return;
    field.name = "renamed";
    for (const each of statuses) {
      if (each.field === name) each.field = "renamed";
    }
  }),
  onStatuses(({ statuses }, _, random) => {
    statuses.splice(0, statuses.length, ...random.shuffled(statuses));
  }),
  onStatuses((http, fields, random, method) => {
    // Replace one status with several, or several with one.
    const [status] = random.shuffled(http.statuses);
    if (status === undefined) {
      http.statuses = drawStatuses(random, fields);
      return;
    }
    http.status = status.status;
    method.body = status.field;
    const kept = fields.filter(
      ({ name }) =>
        name === status.field ||
        method.responseHeaders.some(({ field }) => field === name),
    );
    for (const field of kept) {
      if (field.name === status.field) field.isOptional = false;
    }
    fields.splice(0, fields.length, ...kept);
    http.statuses = [];
  }),
  onStatuses((http, _, random, method) => {
    // Replace one status with a list that contains only its body.
    const { body } = method;
    if (http.statuses.length > 0 || body === null) return;
    http.statuses = [{ status: http.status, field: body }];
    if (random.chance(0.5)) http.statuses.push({ status: 204, field: null });
  }),
  onStatuses((_, fields, __, method) => {
    // Add or remove the output that contains the status.
    const { responseStatus } = method;
    method.responseStatus = responseStatus === null ? "code" : null;
    const at = fields.findIndex(({ name }) => name === responseStatus);
    if (at !== -1) fields.splice(at, 1);
  }),
];

/** Edits of the headers of requests or responses, and their fields. */
function onHeaders(
  edit: (headers: SketchPair[], fields: SketchField[], random: Random) => void,
): Edit {
  return (sketch, random) => {
    const places = sketch.services
      .flatMap(({ methods }) => methods)
      .flatMap(({ body, http, input, output, responseHeaders }) => [
        ...(http === null ? [] : [{ headers: http.headers, message: input }]),
        ...(body === null
          ? []
          : [{ headers: responseHeaders, message: output }]),
      ]);
    const place = random.maybeOneOf(places);
    if (place === undefined) return;
    edit(place.headers, fieldsOf(sketch, place.message), random);
  };
}

/** Edits of headers of requests and responses. */
export const headerEdits: Edits = [
  onHeaders((headers, _, random) => {
    // Rename a header, but not its field.
    const header = random.maybeOneOf(headers);
    if (header) header.name = drawHeaderName(random, "h");
  }),
  onHeaders((headers, fields, random) => {
    // Rename a field, but not its header.
    const header = random.maybeOneOf(headers);
    const field = fields.find(({ name }) => name === header?.field);
    if (header && field) header.field = field.name = "j";
  }),
  onHeaders((headers, _, random) => {
    // Exchange the fields of two headers.
    const [one, other] = random.shuffled(headers);
    if (one && other) [one.field, other.field] = [other.field, one.field];
  }),
  onHeaders((headers, fields, random) => {
    const [field] = drawHeaderFields(random, "j");
    if (field === undefined) return;
    fields.push(field);
    headers.push({ name: drawHeaderName(random, "j"), field: field.name });
  }),
  onHeaders((headers, fields, random) => {
    // Remove a header and its field.
    const [gone] = random.shuffled(headers);
    if (gone === undefined) return;
    headers.splice(headers.indexOf(gone), 1);
    const at = fields.findIndex(({ name }) => name === gone.field);
    if (at !== -1) fields.splice(at, 1);
  }),
  onHeaders((headers, fields, random) => {
    // Change the type of a header, or whether it is optional.
    const header = random.maybeOneOf(headers);
    const at = fields.findIndex(({ name }) => name === header?.field);
    const field = fields[at];
    if (field === undefined) return;
    const drawn = drawSegment(random, field.name);
    fields[at] = random.chance(0.5)
      ? { ...drawn, isOptional: field.isOptional }
      : { ...field, isOptional: !field.isOptional };
  }),
  onHttp((http, fields, random) => {
    // Move a field from the query to a header, or in the other direction.
    const field = random.maybeOneOf(fields)?.name;
    if (field === undefined) return;
    const [from, to] = http.headers.some((each) => each.field === field)
      ? [http.headers, http.query]
      : [http.query, http.headers];
    const at = from.findIndex((each) => each.field === field);
    if (at !== -1) from.splice(at, 1);
    to.push({ name: "moved", field });
  }),
];
