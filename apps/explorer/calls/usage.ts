import type {
  FieldData,
  MessageData,
  TypeReference,
} from "../../../generator/4-emit/docs/explorer-data.js";
import type { Entry, Model } from "./model.js";

/** The methods and types that refer to a type directly. */
export interface Usage {
  readonly methods: readonly Entry[];
  /** Names of types. */
  readonly types: readonly string[];
}

/** Finds the methods and types that refer to a type. */
export function usageOf({ data, entries }: Model, name: string): Usage {
  const inFields = (fields: readonly FieldData[] = []): boolean =>
    fields.some(({ type }) => mentions(type, name));
  const inMessage = (message: MessageData | undefined): boolean =>
    message?.struct === name || inFields(message?.fields);
  return {
    methods: entries.filter(
      ({ method }) => inMessage(method.request) || inMessage(method.response),
    ),
    types: data.types
      .filter((type) => {
        switch (type.kind) {
          case "struct":
            return inFields(type.fields);
          case "alias":
            return type.known === name || mentions(type.type, name);
          case "union":
            return type.variants.some((each) => mentions(each.type, name));
          case "enum":
            return false;
        }
      })
      .map((type) => type.name),
  };
}

function mentions(reference: TypeReference, name: string): boolean {
  switch (reference.kind) {
    case "scalar":
      return false;
    case "reference":
      return reference.name === name;
    case "list":
      return mentions(reference.element, name);
    case "map":
      return mentions(reference.key, name) || mentions(reference.value, name);
  }
}
