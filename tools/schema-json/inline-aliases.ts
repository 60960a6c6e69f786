import type { FieldJson, SchemaJson } from "./schema-json.js";

/**
 * Replaces the names of aliases by their types, for generators that do not
 * declare aliases. The comments and the metadata of aliases are lost. A union
 * becomes `any`, whether an alias or a field declares it.
 */
export function inlineAliases(schema: SchemaJson): SchemaJson {
  const aliases = new Map(
    schema.types.flatMap(({ kind, name, type = "" }) =>
      kind === "alias" ? [[name, type] as const] : [],
    ),
  );
  const inline = (type: string): string =>
    type.replaceAll(/[^[\]<>,]+/gu, (name) => {
      const target = aliases.get(name);
      return target === undefined ? name : inline(target);
    });
  const inlineEach = <Typed extends { readonly type?: string }>(
    list: readonly Typed[],
  ): readonly Typed[] =>
    list.map((each) =>
      each.type === undefined ? each : { ...each, type: inline(each.type) },
    );
  return {
    ...schema,
    types: schema.types
      .filter(({ kind }) => kind !== "alias")
      .map((type) =>
        type.fields
          ? { ...type, fields: inlineEach(type.fields).map(withoutVariants) }
          : type,
      ),
    services: schema.services.map((service) => ({
      ...service,
      methods: service.methods.map((method) => ({
        ...method,
        inputs: inlineEach(method.inputs),
        outputs: inlineEach(method.outputs),
      })),
    })),
  };
}

/** Removes the variants of a field, which can be aliases. */
function withoutVariants({ meta = [], ...field }: FieldJson): FieldJson {
  const isUnion = meta.some((entry) => "oneOf" in entry);
  const kept = meta.filter(
    (entry) =>
      !isUnion || !["oneOf", "tag", "open"].some((key) => key in entry),
  );
  return kept.length === 0 ? field : { ...field, meta: kept };
}
