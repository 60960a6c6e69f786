/**
 * Code of a project that was written for the client that webrpc's own generator
 * creates from the interoperability schema. Only the import differs.
 */
import {
  errors,
  RateLimitedError,
  Status,
  TestApi,
  UnauthorizedError,
  VersionFromHeader,
  WebrpcBadResponseError,
  WebrpcClientAbortedError,
  WebrpcEndpointError,
  WebrpcError,
  webrpcErrorByCode,
  WebrpcErrorCodes,
  WebrpcHeader,
  WebrpcHeaderValue,
  WebrpcRequestFailedError,
  WebrpcSchemaVersion,
  WebrpcVersion,
  type Complex,
  type Fetch,
  type GetOneResponse,
  type GetSchemaErrorRequest,
  type SendOneRequest,
  type SendOneResponse,
  type Simple,
  type TestApiClient,
} from "./generated/webrpc.js";

/**
 * A large public user of webrpc extends every client like this to add a header.
 */
export class KeyedTestApi extends TestApi {
  private readonly key: string;

  constructor(hostname: string, key: string) {
    super(hostname, fetch);
    this.key = key;
    this.fetch = this._fetch;
  }

  get address(): string {
    return this.hostname + this.path;
  }

  _fetch: Fetch = (input: RequestInfo, init?: RequestInit) => {
    const headers = { ...init?.headers, "X-Access-Key": this.key };
    return fetch(input, { ...init, headers });
  };
}

export function createClient(hostname: string): TestApiClient {
  return new TestApi(hostname, fetch);
}

/**
 * Covers all ways to pass arguments: with and without a request, headers, and a
 * signal.
 */
export async function callAllOverloads(client: TestApi): Promise<Complex> {
  const { signal } = new AbortController();
  await client.getEmpty();
  await client.getEmpty({});
  await client.getEmpty({ "X-Trace": "1" }, signal);
  const one: GetOneResponse = await client.getOne(undefined, signal);
  const simple: Simple = one.one;
  const request: SendOneRequest = { one: simple };
  const sent: SendOneResponse = await client.sendOne(request);
  await client.sendOne(one, {});
  await client.sendOne(request, new Headers({ "X-Trace": "2" }), signal);
  const { one: first, two, three } = await client.getMulti();
  await client.sendMulti({ one: first, two, three }, {});
  const answer = await client.getComplex();
  await client.sendComplex(answer, sent);
  const isAvailable: boolean = answer.complex.status === Status.AVAILABLE;
  const status: Status = isAvailable ? Status.AVAILABLE : Status.NOT_AVAILABLE;
  return { ...answer.complex, status };
}

/** Uses methods as separate functions, as hooks do. */
export async function callDetached(client: TestApi): Promise<number> {
  const { getEnumList } = client;
  const { list } = await getEnumList();
  return list.length;
}

/** Returns options for React Query. */
export function queryOf(client: TestApi, req: GetSchemaErrorRequest) {
  const queryKey: readonly ["TestApi", "getSchemaError", { code: number }] =
    client.queryKey.getSchemaError(req);
  const emptyKey: readonly ["TestApi", "getEmpty"] = client.queryKey.getEmpty();
  return {
    queryKey,
    emptyKey,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      client.getSchemaError(req, undefined, signal),
  };
}

/** Distinguishes errors in every way: by class, by code, and by name. */
export function describeError(error: unknown): string {
  if (!(error instanceof WebrpcError)) return "not an error of webrpc";
  const facts = `${error.name} ${error.code} ${error.status}: ${error.message}`;
  if (error instanceof UnauthorizedError) return `log in: ${facts}`;
  if (error instanceof WebrpcRequestFailedError) return `no answer: ${facts}`;
  if (error instanceof WebrpcBadResponseError) return `what? ${facts}`;
  if (error instanceof WebrpcClientAbortedError) return `aborted: ${facts}`;
  switch (error.code) {
    case WebrpcErrorCodes.RateLimited:
      return `wait: ${facts}`;
    case WebrpcErrorCodes.WebrpcEndpoint:
      return `endpoint: ${facts}`;
  }
  if (error.name === errors.UserBusy) return `again: ${facts}`;
  return `${WebrpcErrorCodes[error.code] ?? "unknown"}: ${facts}`;
}

/** Creates errors as a project's tests would. */
export const madeErrors = {
  plain: new UnauthorizedError(),
  explained: new RateLimitedError({ cause: "1000 req/min", message: "slower" }),
  endpoint: WebrpcEndpointError.new({ message: "no", status: 418 }),
  byCode: webrpcErrorByCode[WebrpcErrorCodes.UserBusy],
  base: new WebrpcError({
    name: "Mine",
    code: 9,
    message: "mine",
    status: 499,
  }),
};

export const facts = {
  WebrpcVersion,
  WebrpcSchemaVersion,
  WebrpcHeader,
  versions: VersionFromHeader(
    new Headers({ [WebrpcHeader]: WebrpcHeaderValue }),
  ),
};
