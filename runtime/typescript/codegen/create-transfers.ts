import type { Call, CallOptions, ClientOptions } from "../client/call.js";
import {
  type FillPath,
  rpc,
  type ClientMethod,
  type ClientMethodOptions,
} from "../client/client-method.js";
import { callsOf, settle } from "../client/settle.js";
import { same } from "../values/same.js";
import { callTransfer, type TransferMethod } from "../client/transfer.js";

/** Properties of a method that sends or returns files. */
export interface TransferOptions<Request, Response> extends ClientMethodOptions<
  Request,
  Response
> {
  /** Request fields that are files or lists of files. */
  readonly files?: readonly string[];
  /** The response field that is a file and makes up the whole body. */
  readonly file?: string;
}

/**
 * Describes a method that has files in its request or returns a file.
 *
 * Input: its path, e.g. `/rpc/Users/UploadAvatar`.
 */
export function transfer<Request, Response, Failure>(
  path: string,
  options: TransferOptions<Request, Response> = {},
): TransferMethod<Request, Response, Failure> {
  const { files = [], file = null, ...rest } = options;
  return { message: rpc(path, rest), files, file };
}

/**
 * Describes a method with an address of its own that returns a file.
 *
 * Input: the method without the file, and the response field that is the file.
 */
export function download<Request, Response, Failure>(
  message: ClientMethod<Request, Response, Failure>,
  file: string,
): TransferMethod<Request, Response, Failure> {
  const { fill = same } = message;
  const fillAny: FillPath = (template, parameters, request, headers) => {
    // A file can have any type.
    headers["accept"] ??= "*/*";
    return fill(template, parameters, request, headers);
  };
  return { message: { ...message, fill: fillAny }, files: [], file };
}

/** The calls for a table of methods that transfer files. */
export type Transfers<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends TransferMethod<
    infer Request,
    infer Response,
    infer Failure
  >
    ? Call<Request, Response, Failure>
    : never;
};

/**
 * Creates a client's file-transfer methods from a table.
 *
 * Example: `createTransfers(options, { uploadAvatar: usersUploadAvatar })`.
 */
export function createTransfers<
  Methods extends Readonly<Record<string, TransferMethod>>,
>(options: ClientOptions, methods: Methods): Transfers<Methods>;
/** Implements the signature above. */
export function createTransfers(
  options: ClientOptions,
  methods: Readonly<Record<string, TransferMethod>>,
): unknown {
  const callOf =
    (method: TransferMethod) => (request?: unknown, own?: CallOptions) =>
      callTransfer(options, method, request, own);
  return callsOf(methods, callOf, settle);
}
