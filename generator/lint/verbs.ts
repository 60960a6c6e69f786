/** What methods of an API usually do. */
const verbs: ReadonlySet<string> = new Set(
  [
    "abort accept acknowledge acquire activate add adjust airdrop allocate allow",
    "analyze append apply approve archive ask assign attach audit authenticate",
    "authorize backup ban batch begin bid bind block book boot borrow bridge",
    "broadcast browse build bulk burn buy calculate call cancel capture cast",
    "change charge check choose claim clean clear clone close collect commit",
    "compare compile complete compress compute configure confirm connect consume",
    "convert copy count create debit decline decode decrease decrement decrypt",
    "delegate delete deliver deny deploy deposit describe detach detect diff",
    "disable discard disconnect discover dismiss dispatch download drain drop",
    "duplicate echo edit emit enable encode encrypt end enqueue enroll ensure",
    "erase estimate evaluate evict exchange exclude execute exist expand expire",
    "explain export extend extract fail fetch fill filter finalize find finish",
    "flag flush follow forget fork format forward freeze fund generate get give",
    "grant halt handle hash hide hold identify ignore import include increase",
    "increment index init initialize initiate insert inspect install introspect",
    "invalidate invite invoke issue join keep kick kill launch leave lend like",
    "link liquidate list load lock log login logout look lookup make manage mark",
    "match measure merge migrate mint modify monitor mount move mute normalize",
    "notify observe open order override pack pair parse patch pause pay perform",
    "pick pin ping place plan play poll pop populate post predict prepare preview",
    "print process promote propose provision publish pull purchase purge push put",
    "query queue quote raise rank rate read rebuild receive recommend reconcile",
    "record recover redeem redirect redo reduce refresh refund refuse register",
    "reject relay release reload remove rename render renew reopen reorder repair",
    "repeat replace reply report request require reschedule resend reserve reset",
    "resize resolve respond restart restore resume retire retrieve retry return",
    "reveal revert review revoke rollback rotate route run sample save say scale",
    "scan schedule search seed select sell send serve set settle setup share show",
    "shut sign signin signout signup simulate skip solve sort split sponsor stake start stop store stream",
    "submit subscribe suggest sum summarize suspend swap switch sync synchronize",
    "tag take terminate test tip toggle touch track trade train transfer",
    "transform translate trigger trim truncate try undo update upgrade upload",
    "upsert use validate verify view void vote wait wake warm watch withdraw wrap",
    "write",
  ].flatMap((line) => line.split(" ")),
);

/** How questions begin that are answered by yes or no. */
const questions: ReadonlySet<string> = new Set(
  "are can contains did does exists had has is may must needs should was will".split(
    " ",
  ),
);

const prefix = /^(?:de|dis|mis|pre|re|un)-?/u;

/** Of words that are too many to be listed: `tokenize`, `localise`, `notarize`. */
const ending = /(?:i[sz]e|ify)$/u;

/** Whether a name of a method that begins with the word says what it does. */
export function isVerb(word: string): boolean {
  return (
    verbs.has(word) ||
    questions.has(word) ||
    ending.test(word) ||
    verbs.has(word.replace(prefix, ""))
  );
}
