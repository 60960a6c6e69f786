import fc from "fast-check";
import type {
  Contract,
  ErrorDeclaration,
  Field,
} from "../../generator/ir/contract.js";
import { arbitraryContract, valueFor } from "./arbitrary-types.js";
import {
  field,
  message,
  method,
  reference,
  scalar,
  struct,
} from "./contract-parts.js";
import { mapStructs } from "./map-structs.js";

/** What every planted secret contains. */
export const planted = /hunter2|2718281828/u;

/** A contract with sensitive fields, and messages that contain secrets. */
export interface SecretTrial {
  /**
   * Its method `Get` returns the fields, and `Put` takes them. Both can fail with
   * `Failed`, whose data has them as well.
   */
  readonly contract: Contract;
  /** Bodies, of which most are invalid. */
  readonly texts: readonly string[];
  /** The same messages as values. */
  readonly values: readonly unknown[];
}

/** Values that contain a secret, most of which are no values of any type. */
const secrets: readonly unknown[] = [
  "hunter2",
  ["hunter2", "hunter2"],
  { hunter2: "hunter2" },
  { hunter2: { hunter2: 1 }, kind: "hunter2" },
  [{ kind: "hunter2" }],
  27182818284.5,
  "27182818284",
];

/** Draws contracts and bodies. */
export function drawSecretTrials(
  numRuns: number,
  seed: number,
): readonly SecretTrial[] {
  const trials = arbitraryContract.chain((drawn) => {
    const fields = fieldsOf(drawn);
    const contract = withSecrets(drawn, fields);
    const trial = fc.record({
      message: valueFor(contract, fields),
      first: fc.nat(secrets.length),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    return fc.array(trial, { minLength: 6, maxLength: 6 }).map((all) => {
      const values = all.map((each) =>
        plant(contract, fields, each.message, each.first),
      );
      const texts = values.flatMap((value, at) => {
        const text = JSON.stringify(value);
        const envelope = `{"error":"Failed","code":1,"msg":"m","status":400,"data":${text}}`;
        const cut = Math.ceil((all[at]?.cut ?? 0) * text.length);
        return [text, envelope, text.slice(0, cut), `<p>${text}`, `[${text}]`];
      });
      return { contract, texts, values };
    });
  });
  return fc.sample(trials, { numRuns, seed });
}

function fieldsOf({ hosts }: Contract): readonly Field[] {
  const sent = hosts[0]?.services[0]?.methods[0]?.request.fields ?? [];
  const secret = field("secret", scalar("string"), {
    isSensitive: true,
    isOptional: true,
  });
  return [...sent, secret];
}

function withSecrets(drawn: Contract, fields: readonly Field[]): Contract {
  const [host] = drawn.hosts;
  const [service] = host?.services ?? [];
  if (host === undefined || service === undefined) return drawn;
  const methods = [
    method("Arbitrary", "Get", { response: message(fields) }),
    method("Arbitrary", "Put", { request: message(fields) }),
  ];
  const failed: ErrorDeclaration = {
    ...{ kind: "error" as const, name: "Failed", code: 1, message: "m" },
    ...{ status: 400, anyStatus: false, data: "Secrets", dataMembers: [] },
    ...{ isDataOptional: true, docs: host.docs },
  };
  return {
    ...drawn,
    types: [
      ...drawn.types,
      struct("Secrets", [
        field("all", reference("Inner"), { isSensitive: false }),
        ...fields,
      ]),
      struct("Inner", fields),
    ],
    errors: [failed],
    hosts: [
      { ...host, errors: ["Failed"], services: [{ ...service, methods }] },
    ],
  };
}

/** Replaces the values of all sensitive fields. */
function plant(
  contract: Contract,
  fields: readonly Field[],
  message: unknown,
  first: number,
): unknown {
  let next = first;
  return mapStructs(contract, fields, message, (value, of) => {
    const members = of
      .filter(({ isSensitive }) => isSensitive)
      .map(({ isExtra, jsonName }) => [
        isExtra ? "hunter2" : jsonName,
        secrets[next++ % secrets.length],
      ]);
    return Object.fromEntries([...Object.entries(value), ...members]);
  });
}
