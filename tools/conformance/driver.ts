import type { DriverOptions } from "./client-case.js";

/** A line that the kit writes to a driver: a call to make. */
export interface DriverCall {
  /** The base address of the server. */
  readonly url: string;
  readonly service: string;
  readonly method: string;
  /** The request as on the wire. Absent if the call has none. */
  readonly request?: unknown;
  /** Credentials by their names in RIDL. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly options: DriverOptions;
}

/** A line that a driver writes: what came of the call. */
export interface DriverOutcome {
  /** The response as on the wire. */
  readonly value?: unknown;
  /** The items of a stream. */
  readonly items?: readonly unknown[];
  /** The error of the server or the transport that ended the call. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** Why the client refused to send the request. */
  readonly refused?: string;
  /** Why the driver cannot make this call. */
  readonly unsupported?: string;
}

/** A program under test that reads and writes lines. */
export interface Driver {
  /** Sends a line. Returns the next line, or throws if the program ends. */
  ask(line: string): Promise<string>;
  stop(): Promise<void>;
}
