import { type HostSettings, hostSettings } from "../emitter/host-settings.js";
import type { TargetSetting } from "../emitter/target.js";

/** Options for the OpenAPI document. */
export interface OpenapiOptions extends HostSettings {
  /** Format of the document. Default: `yaml`. */
  readonly format?: "json" | "yaml";
  /**
   * Whether one document describes all hosts. If so, they must not share a
   * route. Default: `false`, a document for each host.
   */
  readonly merge?: boolean;
  /** Title of the document. Default: the names of the hosts. */
  readonly title?: string;
  /** Description of the API. Default: the doc comment of the host. */
  readonly description?: string;
  /** Whom to contact about the API. Default: nobody. */
  readonly contact?: OpenapiContact;
  /** Name of the API's license. Default: none. */
  readonly license?: string;
  /** Version of OpenAPI. Version 3.0 has no webhooks. Default: `3.1`. */
  readonly version?: "3.0" | "3.1" | "3.2";
  /** Whether the document describes webhooks. Default: `true`. */
  readonly webhooks?: boolean;
}

/** A person or team in an OpenAPI document. */
export interface OpenapiContact {
  readonly name?: string;
  readonly email?: string;
  readonly url?: string;
}

/** The setting of the target `openapi`. */
export const openapiSetting: TargetSetting = {
  schema: {
    description: "Options for the OpenAPI document. Default: `{}`.",
    type: "object",
    additionalProperties: false,
    properties: {
      format: {
        description: "Format of the document. Default: `yaml`.",
        enum: ["yaml", "json"],
        examples: ["json"],
      },
      merge: {
        description:
          "Whether a single document describes all hosts. Default: `false`, one document per host.",
        type: "boolean",
        examples: [true],
      },
      title: {
        description: "Title of the document. Default: the names of the hosts.",
        $ref: "#/definitions/text",
        examples: ["Shop API"],
      },
      description: {
        description:
          "Description of the API, in Markdown. Default: the doc comment of the host.",
        $ref: "#/definitions/text",
        examples: ["Sells books."],
      },
      contact: {
        description: "Whom to contact about the API. Default: nobody.",
        type: "object",
        additionalProperties: false,
        properties: {
          name: {
            description: "Name of the person or team. Default: none.",
            $ref: "#/definitions/text",
            examples: ["API team"],
          },
          email: {
            description: "Address for e-mail. Default: none.",
            $ref: "#/definitions/text",
            examples: ["api@example.com"],
          },
          url: {
            description: "Address of a page. Default: none.",
            $ref: "#/definitions/text",
            examples: ["https://example.com"],
          },
        },
        examples: [{ name: "API team", email: "api@example.com" }],
      },
      license: {
        description: "Name of the API's license. Default: none.",
        $ref: "#/definitions/text",
        examples: ["MIT"],
      },
      version: {
        description:
          'Version of OpenAPI. Use `"3.0"`, in quotes, for tools that do not read 3.1; it has no webhooks. `"3.2"` describes the items of streams. Default: `"3.1"`.',
        enum: ["3.0", "3.1", "3.2"],
        examples: ["3.0"],
      },
      webhooks: {
        description:
          "Whether the document describes webhooks. Some client generators generate invalid code for them. Default: `true`.",
        type: "boolean",
        examples: [false],
      },
      ...hostSettings(
        "the document's own server",
        "the document's own server",
        "Example values",
      ),
    },
  },
  example: { format: "json" },
};
