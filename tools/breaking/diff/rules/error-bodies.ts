import { codeOf } from "../../../../generator/diagnostics/names.js";
import type {
  Contract,
  ErrorBody,
  ErrorMember,
  Field,
  Host,
} from "../../../../generator/ir/contract.js";
import { valuesOf } from "../../../../generator/values/value.js";
import type { Effects, Level } from "../facts/change.js";
import type { Pair } from "../facts/pairing.js";
import { type BreakingRules, rulesAboutKept } from "../facts/rule.js";

const keptHost = rulesAboutKept(
  ({ hosts }) => hosts.kept,
  ({ name }: Host) => ({ kind: "host", host: name }),
);
const keptError = rulesAboutKept(
  ({ errors }) => errors.kept,
  ({ name }) => ({ kind: "error", name }),
);

/** Both sides read another body than the other one writes. */
const breaksErrors: Effects = { wire: "error", "wire-strict": "error" };

const mayBreakErrors: Effects = { wire: "danger", "wire-strict": "danger" };

const help = "serve the old body at the old address until no client reads it";

/** Rules about the bodies of errors. */
export const errorBodyRules = {
  "error-body-same": (contracts) => [
    ...ofHosts(contracts),
    ...ofErrors(contracts),
  ],
} satisfies BreakingRules;

const ofHosts = keptHost(({ before, after }, contracts) => {
  const [then, now] = [before.errorBody, after.errorBody];
  const of = `errors of ${codeOf(after.name)}`;
  if (then === null || now === null) {
    return (
      then !== now && {
        effects: breaksErrors,
        message: `the body of ${of} was ${describe(then)} and is now ${describe(now)}`,
        help,
      }
    );
  }
  const change = changeOf({ before: then.members, after: now.members }, of);
  return (
    change ??
    movedHeader(contracts, { before: then.struct, after: now.struct }, of) ??
    (then.mediaType !== now.mediaType && {
      effects: mayBreakErrors,
      message: `the media type of ${of} was \`${then.mediaType}\` and is now \`${now.mediaType}\``,
      help,
    })
  );
});

/** Compares the bodies of errors that have their own. */
const ofErrors = keptError(
  ({ before, after }, { before: old, after: recent }) => {
    const isShared = ({ hosts }: typeof old, data: string | null): boolean =>
      hosts.some(({ errorBody }) => errorBody?.struct === data);
    if (isShared(old, before.data) && isShared(recent, after.data))
      return false;
    if (before.data === null || after.data === null) return false;
    const pair = { before: before.dataMembers, after: after.dataMembers };
    const data = { before: before.data, after: after.data };
    const of = `the error \`${after.name}\``;
    const contracts = { before: old, after: recent };
    return changeOf(pair, of) ?? movedHeader(contracts, data, of) ?? false;
  },
);

/** Reports a field that is now in another header, or in none. */
function movedHeader(
  { before: old, after: recent }: Pair<Contract>,
  { before, after }: Pair<string>,
  of: string,
) {
  const now = fieldsOf(recent, after);
  const moved = fieldsOf(old, before).flatMap((field) => {
    const other = now.find(({ jsonName }) => jsonName === field.jsonName);
    return other === undefined || isSameHeader(other.header, field.header)
      ? []
      : [{ before: field, after: other }];
  });
  const [first] = moved;
  if (first === undefined) return null;
  const judge = (areFound: readonly boolean[]): Level =>
    areFound.every((isFound) => isFound) ? "danger" : "error";
  return {
    effects: {
      wire: judge(moved.map((each) => isFound(each.after, each.before, old))),
      "wire-strict": judge(
        moved.map((each) => isFound(each.before, each.after, recent)),
      ),
    },
    message: `the field \`${first.before.jsonName}\` of ${of} was in ${partOf(first.before.header)} and is now in ${partOf(first.after.header)}`,
    help,
  };
}

/**
 * Returns whether generated clients that expect a field in a header also find it
 * where a server writes it. They read such fields from the body, too, except that
 * a required list without its header is empty.
 */
function isFound(written: Field, read: Field, contract: Contract): boolean {
  const isList = valuesOf(contract).valueOf(read).kind === "list";
  return written.header === null && (read.isOptional || !isList);
}

function fieldsOf(
  { types }: Pick<Contract, "types">,
  struct: string,
): readonly Field[] {
  const type = types.find(({ name }) => name === struct);
  return type?.kind === "struct" ? type.fields : [];
}

/** Case has no meaning in the names of headers. */
function isSameHeader(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

function partOf(header: string | null): string {
  return header === null ? "the body" : `the header \`${header}\``;
}

function describe(body: ErrorBody | null): string {
  return body === null ? "the envelope" : `\`${body.struct}\``;
}

/** Returns the worst change of the parts of errors, or null. */
function changeOf({ before, after }: Pair<readonly ErrorMember[]>, of: string) {
  const parts = before.filter(({ role }) => role !== null);
  for (const then of parts) {
    const now = after.find(({ role }) => role === then.role);
    const place = placeOf(then);
    if (now === undefined || placeOf(now) !== place) {
      return {
        effects: breaksErrors,
        message: `the ${then.role ?? ""} of ${of} was \`${place}\` and is now ${now === undefined ? "nowhere" : `\`${placeOf(now)}\``}`,
        help,
      };
    }
    const renamed = Object.entries(then.names ?? {}).find(
      ([name, value]) => valueOf(now, name) !== value,
    );
    if (renamed !== undefined) {
      const [name, value] = renamed;
      return {
        effects: breaksErrors,
        message: `the error \`${name}\` was ${codeOf(value)} in \`${place}\` of ${of} and is now ${codeOf(valueOf(now, name) ?? "absent")}`,
        help,
      };
    }
    const named = Object.keys(now.names ?? {}).find(
      (name) => valueOf(then, name) !== valueOf(now, name),
    );
    if (named !== undefined) {
      return {
        effects: mayBreakErrors,
        message: `the error \`${named}\` now has a value in \`${place}\` of ${of}`,
        help: "existing clients only know the status of this error; make sure that this is enough",
      };
    }
  }
  return null;
}

/** Returns what a server writes for the name of an error. */
function valueOf(
  { isOpen, names }: ErrorMember,
  name: string,
): string | undefined {
  const known = new Map(Object.entries(names ?? {}));
  return known.get(name) ?? (names === null || isOpen ? name : undefined);
}

function placeOf({ path }: ErrorMember): string {
  return path.map((key) => (key === 0 ? "[0]" : key)).join(".");
}
