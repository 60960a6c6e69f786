import type { Contract, Docs } from "../../generator/ir/contract.js";
import {
  alias,
  contract,
  enumeration,
  field,
  host,
  list,
  map,
  message,
  method,
  reference,
  scalar,
  service,
  struct,
} from "./contract-parts.js";

const attack = "globalThis.hijacked = true";

/**
 * Each string ends a context in which text can appear, and then tries to run
 * code.
 */
const attacks = [
  `*/ ${attack}; /*`,
  `\`; ${attack}; \``,
  "${" + attack + "}",
  `"; ${attack}; "`,
  `'; ${attack}; '`,
  `\n${attack};\n`,
  `\r${attack};\r`,
  `\u2028${attack};\u2029`,
  `</script><script>${attack}</script><!-- `,
  `{{${attack}}} {{{${attack}}}}`,
  `/; ${attack}; /`,
  `\\"; ${attack}; //`,
  "\u202e\u0000 @ts-expect-error",
];

/** Combines all attacks. */
export const hostileText = attacks.join(" ");

const docs: Docs = {
  lines: [
    hostileText,
    "@ts-expect-error",
    "@deprecated */",
    "{@link globalThis}",
  ],
  origins: [{ kind: "decided", detail: hostileText }],
};

/** A valid pattern that contains hostile text and matches it. */
export const hostilePattern = `^(?:</script>|${hostileText.replace(
  /[\\^$.*+?()[\]{}|/]/gu,
  "\\$&",
)})$`;

const metadata = [{ key: hostileText, value: hostileText }];

const structFields = [
  ...attacks.map((text, index) =>
    field(`attack${index}`, scalar("bigint"), {
      jsonName: text.slice(0, 20),
      isOptional: index % 2 === 0,
    }),
  ),
  field("plain", scalar("string"), {
    docs,
    deprecated: hostileText,
    metadata,
  }),
  field("optional", reference("Al*/ias"), {
    jsonName: "__proto__",
    isOptional: true,
    docs,
  }),
  field("secret", scalar("string"), {
    isSensitive: true,
    constraints: { pattern: hostilePattern, example: hostileText },
  }),
  field("list", list(reference("Enum;")), {
    constraints: { maxItems: 3 },
  }),
  field("map", map(reference("Enum;"), scalar("bigint"))),
];

/** A contract with hostile text everywhere that text is allowed. */
export const hostileContract: Contract = contract(
  [
    struct("Str = uct", structFields, { docs }),
    enumeration("Enum;", [hostileText, "__proto__", "constructor", "*/"], {
      docs,
    }),
    alias(
      "Al*/ias",
      scalar("string"),
      { pattern: hostilePattern },
      { title: hostileText, docs, metadata },
    ),
    alias("Open", scalar("string"), {}, { known: "Enum;", docs }),
  ],
  [
    host(
      "hostile",
      [
        service(
          "Ser*/vice",
          [
            method("Ser*/vice", "Meth;od", {
              docs,
              request: {
                kind: "message",
                struct: "Str = uct",
                fields: structFields,
                isStream: false,
              },
              response: message([
                field("open", reference("Open"), { jsonName: "*/ `${" }),
              ]),
              route: { kind: "rpc", path: `/rpc/${hostileText}` },
              credentials: [hostileText],
              errors: ["Er*/ror"],
              deprecated: hostileText,
              annotations: [{ name: hostileText, value: hostileText }],
            }),
          ],
          { docs },
        ),
      ],
      {
        document: `${hostileText}.ridl`,
        version: hostileText,
        baseUrl: `https://${hostileText}`,
        docs,
      },
    ),
  ],
  {
    errors: [
      {
        kind: "error",
        name: "Er*/ror",
        code: 1,
        message: hostileText,
        status: 400,
        anyStatus: false,
        data: null,
        dataMembers: [],
        isDataOptional: false,
        docs,
      },
    ],
    credentials: [
      {
        name: "Cre`dential",
        docs,
        key: hostileText,
        place: "header",
        parameter: hostileText,
        scheme: hostileText,
        error: "Er*/ror",
      },
    ],
  },
);
