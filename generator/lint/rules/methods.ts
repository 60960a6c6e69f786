import type { Word } from "../../1-parse/ast.js";
import type { Declared, DeclaredType } from "../../2-check/program/program.js";
import { findType } from "../../2-check/program/reach.js";
import { inNodes, relate } from "../../2-check/report/finding.js";
import { wordsOf } from "../facts/casing.js";
import type { LintRules } from "./rule.js";

/** Rules about methods and their messages. */
export const methodRules = {
  "method-succinct": inNodes(
    ["methods"],
    ({ syntax: { input, isProxy, name, output } }) =>
      !isProxy &&
      input.arguments.length + output.arguments.length > 0 && {
        at: name,
        message: `\`${name.text}\` lists arguments instead of using structs`,
        help: `declare \`${name.text}Request\` and \`${name.text}Response\`, and write \`${name.text}(${name.text}Request) => (${name.text}Response)\`; the wire format stays the same`,
      },
  ),

  "method-verb": inNodes(
    ["methods"],
    ({ syntax: { name } }) =>
      !isVerb(wordsOf(name.text)[0] ?? "") && {
        at: name,
        message: `\`${name.text}\` does not begin with a verb`,
        help: "begin the name with a verb, as in `GetStatus` or `IsValid`",
      },
  ),

  "request-response-unique": (program) => {
    const first = new Map<DeclaredType, Declared<Word>>();
    return inNodes(["messages"], ({ syntax: { succinct }, document }) => {
      const type = findType(program, document, succinct?.text);
      if (succinct === undefined || type === undefined) return false;
      const before = first.get(type);
      if (before === undefined) first.set(type, { syntax: succinct, document });
      return (
        before !== undefined && {
          at: succinct,
          message: `\`${succinct.text}\` is also used by another message`,
          related: [relate(before, before.syntax, "first used here")],
          help: "declare a separate struct for each request and each response",
        }
      );
    })(program);
  },
} satisfies LintRules;

/** Verbs that names of API methods usually start with. */
const verbs: ReadonlySet<string> = new Set(
  [
    "abort accept accrue acknowledge acquire activate add adjust advance",
    "aggregate airdrop allocate allow analyze answer append apply approve",
    "archive ask assert assess assign assume attach audit authenticate",
    "authorize backfill backup ban batch begin bid bind block book bookmark",
    "boot bootstrap borrow bridge broadcast browse build bulk bump burn buy",
    "cache calculate call cancel capture cast challenge change charge check",
    "choose claim clean clear clone close collect combine commit compare",
    "compile complete compress compute concat configure confirm connect",
    "consume continue contribute convert copy correct count create cut debit",
    "declare decline decode decrease decrement decrypt deduct dedupe defer",
    "define delay delegate delete deliver demote deny deploy deposit derive",
    "describe destroy detach detect diff disable disburse discard disconnect",
    "discover dismiss dispatch divide do downgrade download drain draw drop",
    "dump duplicate earn echo edit embed emit enable encode encrypt end",
    "endorse enqueue enroll ensure enter enumerate erase escalate establish",
    "estimate evaluate evict examine exchange exclude execute exempt exist",
    "exit expand expire explain export expose extend extract fail feed fetch",
    "fill filter finalize find finish fix flag flatten flush fold follow force",
    "forget fork format forward freeze fund generate get give go grant guess",
    "halt handle harvest hash help hide hire hold identify ignore impersonate",
    "import improve include increase increment index inform ingest init",
    "initialize initiate inject insert inspect install integrate intercept",
    "interpret interrupt intersect introspect invalidate invert invite invoke",
    "issue join judge keep kick kill label launch learn lease leave lend lift",
    "like link liquidate list listen load locate lock log login logout look",
    "lookup maintain make manage map mark mask match measure merge migrate",
    "mint mirror modify monitor mount move mutate mute negotiate nominate",
    "normalize notify observe obtain offer onboard open operate order override",
    "overwrite own pack pair parse partition pass patch pause pay perform",
    "permit persist pick pin ping place plan play pledge poll pop populate",
    "post predict prepare present prevent preview print probe process produce",
    "promote prompt propose protect prove provide provision prune publish pull",
    "purchase purge push put query queue quote raise rank rate react read",
    "rebalance rebuild receive recommend reconcile record recover redeem",
    "redirect redo reduce refine refresh refund refuse register reject relate",
    "relay release reload remind remove rename render renew reopen reorder",
    "repair repeat replace replenish replicate reply report represent request",
    "require reschedule rescue resend reserve reset resize resolve respond",
    "restart restore restrict resume retire retrieve retry return reveal",
    "reverse revert review revoke roll rollback rotate route run sample save",
    "say scale scan schedule seal search seed select sell send serve set",
    "settle setup share shelve shift shorten show shrink shuffle shut sign",
    "signin signout signup silence simulate skip snapshot snooze solve sort",
    "spawn specify spend split sponsor spread stake start stash stop store",
    "stream strip submit subscribe subtract suggest sum summarize supply",
    "support surrender suspend swap sweep switch sync synchronize tag take",
    "talk tell terminate test throttle throw tip toggle touch trace track",
    "trade train transfer transform transition translate traverse trigger trim",
    "truncate try tune turn undo update upgrade upload upsert use validate",
    "vary verify vest vet view visit void vote wait wake walk warm warn watch",
    "whitelist wipe withdraw wrap write yield zip",
  ].flatMap((line) => line.split(" ")),
);

/** First words of yes-or-no questions. */
const questions: ReadonlySet<string> = new Set(
  "are can contains did does exists had has is may must needs should was will".split(
    " ",
  ),
);

const prefix = /^(?:de|dis|mis|pre|re|un)-?/u;

/**
 * Endings shared by too many verbs to list: `tokenize`, `localise`, `notarize`.
 */
const ending = /(?:i[sz]e|ify)$/u;

/** Whether a method name can start with this word. */
function isVerb(word: string): boolean {
  return (
    verbs.has(word) ||
    questions.has(word) ||
    ending.test(word) ||
    verbs.has(word.replace(prefix, ""))
  );
}
