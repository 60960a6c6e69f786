import type { Field, Host, Method, Service } from "../../ir/contract.js";
import type { ParameterSegment, PathTemplate } from "../../ir/path-template.js";
import { isFileField, listMarkOf } from "../../http/request.js";
import {
  type FieldSlot,
  fieldsAt,
  foldRequest,
  responseHeaders,
  skip,
} from "../../http/slots.js";
import type { WireRequest } from "../../http/wire-method.js";
import { namesEvents, wireOf } from "../../http/wire-of.js";
import type { TypeViews } from "./create-types.js";
import type { SettledNames } from "./settle-names.js";
import type { FieldView } from "./type-view.js";
import type {
  HeaderView,
  QueryView,
  RestRouteView,
  RouteView,
  SegmentView,
} from "./view.js";

/** Creates the views of addresses, and of headers with fields. */
export class RouteViews {
  readonly #types: TypeViews;
  readonly #names: SettledNames;

  constructor(types: TypeViews, names: SettledNames) {
    this.#types = types;
    this.#names = names;
  }

  /** Returns the address of a method. */
  routeOf(method: Method, service: Service, host: Host): RouteView {
    const { name, route } = method;
    switch (route.kind) {
      case "rpc": {
        const path = wireOf(method).address?.template.text ?? "";
        const own = `${service.name}/${name}`.split("/").map(textSegment);
        const base = host.basePath.segments.map((segment): SegmentView =>
          segment.kind === "literal"
            ? textSegment(segment.text)
            : {
                ...segment,
                isWhole: isWhole(segment),
                identifier: this.#names.ofParameter(segment.name),
              },
        );
        return { kind: "rpc", path, segments: [...base, ...own] };
      }
      case "rest":
        return this.#restViewOf(method);
      case "webhook":
        return {
          kind: "webhook",
          event: name,
          isOneOfMany: namesEvents(service),
        };
    }
  }

  #restViewOf(method: Method): RestRouteView {
    const { address, request, response } = wireOf(method);
    const { body } = request;
    const [{ status }] = response.successes;
    const fieldOf = (field: Field | null): FieldView | null =>
      field && this.#types.fieldOf(field);
    return {
      kind: "rest",
      isPlain:
        request.isPathRead && status === 200 && response.byStatus.length === 0,
      verb: address?.verb ?? "GET",
      status: String(status),
      statuses: response.byStatus.map((each) => ({
        status: String(each.status),
        body: fieldOf(each.body),
      })),
      statusOutput: fieldOf(response.status),
      target: address?.target ?? "",
      path: address?.template.text ?? "",
      segments: this.#segmentsOf(address?.template.segments ?? [], request),
      jsonInPath: fieldsAt(request, "path")
        .map(({ field }) => this.#types.fieldOf(field))
        .filter(({ isText }) => !isText),
      query: this.#queryOf(request),
      headers: this.headersOf(fieldsAt(request, "header")),
      responseHeaders: this.headersOf(responseHeaders(response)),
      requestBody: fieldOf(body.whole),
      bodyFields:
        body.kind === "object"
          ? body.fields.map((field) => this.#types.fieldOf(field))
          : [],
      mediaType: body.statedMediaType,
      isForm: body.content.kind === "form",
      hasListBrackets: listMarkOf(body.content) !== "",
      hasFiles: method.request.fields.some(isFileField),
    };
  }

  #segmentsOf(
    segments: PathTemplate["segments"],
    request: WireRequest,
  ): readonly SegmentView[] {
    const slots = fieldsAt(request, "path");
    return segments.map((segment): SegmentView => {
      if (segment.kind === "literal") return textSegment(segment.text);
      const { name, prefix, suffix } = segment;
      const slot = slots.find((each) => each.name === name);
      if (slot === undefined) return textSegment("");
      const field = this.#types.fieldOf(slot.field);
      const around = { prefix, suffix, isWhole: isWhole(segment) };
      return { kind: "field", field, ...around };
    });
  }

  #queryOf(request: WireRequest): readonly QueryView[] {
    return foldRequest<QueryView>(request, {
      path: skip,
      query: ({ field, list, name }) => [
        {
          name,
          field: this.#types.fieldOf(field),
          isJoined: list === "joined",
          value: null,
        },
      ],
      fixed: ({ name, value }) => [
        { name, field: null, isJoined: false, value },
      ],
      header: skip,
      member: skip,
      part: skip,
      whole: skip,
    });
  }

  /** Returns the headers that contain fields. */
  headersOf(headers: readonly FieldSlot[]): readonly HeaderView[] {
    return headers.map(({ field: each, name }) => {
      const field = this.#types.fieldOf(each);
      return { name, field, isText: field.isText };
    });
  }
}

function isWhole({ prefix, suffix }: ParameterSegment): boolean {
  return prefix + suffix === "";
}

function textSegment(text: string): SegmentView {
  return { kind: "text", text };
}
