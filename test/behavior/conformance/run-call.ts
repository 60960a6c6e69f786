import { expect } from "vitest";
import { camelCase } from "../../../generator/4-emit/names/casing.js";
import {
  dataOf,
  messageOf,
  methodOf,
  type ClientCase,
} from "./client-cases.js";
import type { WireOptions } from "./load-contract.js";
import {
  contract,
  type AnyCall,
  type ServedContract,
} from "./served-contract.js";

type AnyClient = ReturnType<ServedContract["createClient"]>;
type Adopt = (value: unknown) => unknown;

/**
 * Makes the call of a case in the form that throws and the one that does not,
 * and expects its outcome from both.
 *
 * Input: `adopt` turns values of the client's realm into those of this one.
 */
export async function runCall(
  client: AnyClient,
  given: ClientCase,
  form: WireOptions,
  adopt: Adopt = (value) => value,
): Promise<void> {
  const method = methodOf(contract, given);
  const call = callOf(client, given);
  const sent = given.echo ?? given.request;
  const request = messageOf(contract, method.request.fields, sent, form);
  const thrown = await Promise.resolve(call(request)).then(
    (value) => ({ value: adopt(value) }),
    (error: unknown) => ({ error }),
  );
  const { result } = Object(call) as { result: AnyCall };
  const settled = await result(request);
  if (given.error === undefined) {
    const wanted = given.echo ?? given.value;
    const value = messageOf(contract, method.response.fields, wanted, form);
    expect(thrown).toEqual({ value });
    expect(adopt(settled)).toEqual({ ok: true, value });
    return;
  }
  expectError(thrown, given, form, adopt);
  expectError(settled, given, form, adopt);
  expect(Object(settled).ok).toBe(false);
}

/** Expects the properties of the error that a case lists. */
function expectError(
  outcome: unknown,
  { error, response }: ClientCase,
  form: WireOptions,
  adopt: Adopt,
): void {
  const wanted = {
    ...error,
    ...(error?.["cause"] === null && { cause: undefined }),
    ...(error && "data" in error && { data: dataOf(contract, error, form) }),
    // A response that violates the protocol.
    ...(response !== undefined &&
      error?.["name"] === "WebrpcBadResponse" && { reason: "bad-response" }),
  };
  const { error: caught } = Object(outcome) as { error: unknown };
  // `instanceof` does not recognize errors of another realm.
  expect(Object.prototype.toString.call(caught)).toBe("[object Error]");
  const seen = Object.keys(wanted).map((key) => [
    key,
    adopt(Object(caught)[key]),
  ]);
  expect(Object.fromEntries(seen)).toEqual(wanted);
}

function callOf(client: AnyClient, { service, method }: ClientCase): AnyCall {
  const call = client[camelCase(service)]?.[camelCase(method)];
  if (call === undefined) throw new Error(`there is no ${service}.${method}`);
  return call;
}
