import { createServer } from "@ridlkit/runtime/codegen/create-server";
import type {
  RpcServer,
  ServerMethod,
  ServerOptions,
  Verify,
} from "@ridlkit/runtime/server";
import { isRecord, isSafeUint } from "@ridlkit/runtime/validation";
import type { Report } from "@ridlkit/runtime/validation";

import { errors } from "../../generated/errors.js";
import { isAddress, isAmount, isHexData } from "../../generated/validators.js";
import type { PlatformContext, PlatformState } from "../keys/state.js";
import type { Relay } from "./relays.js";

/** A call that the wallet's owner has signed. */
export interface RelayMessage {
  readonly wallet: string;
  readonly to: string;
  /** Decimal digits, like `nonce`. */
  readonly value: string;
  readonly data: string;
  readonly nonce: string;
  /** Unix time in seconds. */
  readonly deadline: number;
  /**
   * The gas limit of the call itself, in decimal digits. If it is present, the
   * wallet is an account with its own key, and the forwarder executes the call.
   * Otherwise, the wallet is a `SmartWallet`.
   */
  readonly gas?: string;
  readonly signature: string;
}

/** Identifies the requested relay. */
export interface FindRelayMessage {
  readonly id: number;
}

/** The response of the `Relay` and `GetRelay` methods. */
export interface RelayAnswer {
  readonly relay: Relay;
}

/** The methods for relaying, which are not part of the contract. */
export interface RelayingHandler {
  relay(message: RelayMessage, context: PlatformContext): Promise<RelayAnswer>;
  getRelay(
    message: FindRelayMessage,
    context: PlatformContext,
  ): Promise<RelayAnswer>;
}

/** Options of the relaying server. */
export interface RelayingServerOptions extends ServerOptions<PlatformState> {
  readonly handlers: { readonly relaying: RelayingHandler };
  readonly verifyAccessKey: Verify<PlatformState>;
}

const fields: readonly [
  name: string,
  expected: string,
  fits: (value: unknown) => boolean,
][] = [
  ["wallet", "an address", isAddress],
  ["to", "an address", isAddress],
  ["value", "a number below 2^256, in decimal digits", isUint256],
  ["data", "bytes in hex", isBytes],
  ["nonce", "a number below 2^256, in decimal digits", isUint256],
  ["deadline", "seconds since 1970", isSafeUint],
  ["signature", "bytes in hex", isBytes],
];

/** Additional requirements for calls that the forwarder executes. */
const forwardedFields: typeof fields = [
  ["gas", "a number below 2^256, in decimal digits", isUint256],
  [
    "value",
    "0, because the forwarder does not hold the wallet's funds",
    isZero,
  ],
  ["deadline", "seconds since 1970, below 2^48", isForwardedDeadline],
];

function isZero(value: unknown): boolean {
  return isUint256(value) && BigInt(String(value)) === 0n;
}

function isForwardedDeadline(value: unknown): boolean {
  return isSafeUint(value) && value < 2 ** 48;
}

function isUint256(value: unknown): boolean {
  return isAmount(value) && BigInt(value) < 2n ** 256n;
}

function isBytes(value: unknown): boolean {
  return isHexData(value) && value.length % 2 === 0;
}

function checkRelay(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  const isForwarded = value["gas"] !== undefined;
  const expectations = isForwarded ? [...fields, ...forwardedFields] : fields;
  for (const [name, expected, fits] of expectations) {
    if (!fits(value[name])) report.failAt(name, expected, value[name]);
  }
}

function checkGetRelay(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isSafeUint(value["id"])) {
    report.failAt("id", "an unsigned integer", value["id"]);
  }
}

function checkAnswer(value: unknown, report: Report): void {
  if (!isRecord(value)) report.fail("an object", value);
}

const shared = {
  service: "Relaying",
  credentials: [
    {
      header: "X-Access-Key",
      scheme: null,
      error: errors.AccessKeyNotFound,
      verify: "verifyAccessKey",
    },
  ],
  checkResponse: checkAnswer,
  validationError: errors.InvalidArgument,
} as const;

const methods: readonly ServerMethod[] = [
  {
    ...shared,
    name: "Relay",
    handler: ["relaying", "relay"],
    route: { kind: "rpc", path: "/rpc/Relaying/Relay" },
    checkRequest: checkRelay,
  },
  {
    ...shared,
    name: "GetRelay",
    handler: ["relaying", "getRelay"],
    route: { kind: "rpc", path: "/rpc/Relaying/GetRelay" },
    checkRequest: checkGetRelay,
  },
];

/**
 * Creates the relaying server of a network, which works like a generated
 * server.
 */
export function createRelayingServer(
  options: RelayingServerOptions,
): RpcServer {
  return createServer(options, methods);
}
