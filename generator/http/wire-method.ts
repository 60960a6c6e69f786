import type { Field, Verb } from "../ir/contract.js";
import type { PathTemplate } from "../ir/path-template.js";
import type { ListForm, RequestSlot, ResponseSlot } from "./slots.js";

/**
 * What a method is on the wire. Emitters and tools fold over it, and decide
 * nothing about the wire themselves.
 */
export interface WireMethod {
  /** The verb and the path, or null if the receiver chooses the address. */
  readonly address: WireAddress | null;
  readonly request: WireRequest;
  readonly response: WireResponse;
}

/** The address of a method. */
export interface WireAddress {
  readonly verb: Verb;
  /** The path as in the schema. */
  readonly template: PathTemplate;
  /** The path without the names of its parameters. */
  readonly shape: string;
  /** The verb and the shape, which addresses of the same requests share. */
  readonly key: string;
  /**
   * The path in a request line, with its parameters, e.g. `/rpc/API/GetOrders`
   * or `/tokens/{network}/{tokenIDs}`.
   */
  readonly path: string;
  /** The path and the query: `/orders/{id}?notify&limit={pageSize}`. */
  readonly target: string;
}

/** A request on the wire. */
export interface WireRequest {
  /**
   * Every field once: those of the path, the query and headers in the order of
   * these, then those of the body in their own order.
   */
  readonly slots: readonly RequestSlot[];
  readonly body: WireBody;
  /** Whether it is a GET whose whole request is in the path. */
  readonly isPathRead: boolean;
  /** The header `Accept`, or null. */
  readonly accept: string | null;
}

/**
 * The body of a request. `none`: no body. `object`: all fields that are nowhere
 * else. `whole`: one field.
 */
export type WireBody =
  | (BodyFacts & { readonly kind: "none" | "object"; readonly whole: null })
  | (BodyFacts & { readonly kind: "whole"; readonly whole: Field });

interface BodyFacts {
  /** The fields of the object, or the field that is the whole body. */
  readonly fields: readonly Field[];
  readonly content: BodyContent;
  /** The media type, unless the body is a form with files. */
  readonly mediaType: string;
  /** The media type if it is not the usual one of the content, or null. */
  readonly statedMediaType: string | null;
  /** Whether it is a form with files (`multipart/form-data`). */
  readonly hasParts: boolean;
  /** Whether it can be absent, because it has no required field. */
  readonly isOptional: boolean;
}

/** How a body is written: as JSON, as the content of a file, or as a form. */
export type BodyContent =
  | { readonly kind: "json" }
  | { readonly kind: "file" }
  | { readonly kind: "form"; readonly list: ListsInForm };

/** How a form contains lists of scalars. */
export type ListsInForm = Extract<ListForm, "repeated" | "bracketed">;

/** The responses of a method that succeeds. */
export interface WireResponse {
  /**
   * Every output once: the status, those in headers in the order of these, then
   * those of bodies in their own order.
   */
  readonly slots: readonly ResponseSlot[];
  /** The statuses of a success. */
  readonly successes: readonly [Success, ...Success[]];
  /**
   * The same statuses if the body depends on the status, or if the only one has
   * no body although it could have one. Empty otherwise.
   */
  readonly byStatus: readonly StatusBody[];
  /** The output that is the status, or null. */
  readonly status: Field | null;
  /** The outputs of the object that is the body, in their own order. */
  readonly members: readonly Field[];
  /** The output that is the body of the only status, or null. */
  readonly whole: Field | null;
  /** All outputs that are whole bodies, for some status. */
  readonly wholes: readonly Field[];
  /** How items are sent, or null if the response is no stream. */
  readonly stream: "lines" | "events" | null;
  /** Whether the body is ignored, because it contains no output. */
  readonly isIgnored: boolean;
}

/** A status of a success, and the body of a response with it. */
export interface Success {
  readonly status: number;
  /**
   * `message`: the whole response, or the output in `@body`. `none`: no body. A
   * field: this output.
   */
  readonly body: "message" | "none" | Field;
}

/** A status, and the output that is the body of a response with it, or null. */
export interface StatusBody {
  readonly status: number;
  readonly body: Field | null;
}
