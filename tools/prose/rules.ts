/** A phrase that this project does not use in comments, texts and docs. */
export interface ProseRule {
  name: string;
  pattern: RegExp;
  instead: string;
}

const words = (...forms: string[]): RegExp => new RegExp(`(?<![\\w-])(?:${forms.join("|")})(?![\\w-])`, "giu");

export const rules: readonly ProseRule[] = [
  {
    name: "is no",
    pattern:
      /(?<!\b(?:there|where)\s)\b(?:is|are|was|were|be|been|being)\s+no\s+(?!longer\b|more\b|later\b|doubt\b|one\b)[^\s\0]+/giu,
    instead: '"is not a …", "is not …"',
  },
  {
    name: "nobody",
    pattern: words("nobody", "somebody", "anybody", "everybody", "no\\s+one(?:'s)?"),
    instead: '"a person", "another user", "another client", "unset", "not managed"',
  },
  { name: "beside", pattern: words("besides?"), instead: '"next to", "in addition to", "compared with"' },
  {
    name: "tell",
    pattern: words("tells?", "told", "telling", "untold"),
    instead: '"return", "show", "report", "print"; "distinguish" for "tell apart"',
  },
  {
    name: "What/Who first",
    pattern: /\b(?:What|Who|Whoever|Whatever)\s+(?![^.?!\0]*\?)[^\s\0]+/gu,
    instead: "name the thing that acts",
  },
  {
    name: "as it is",
    pattern: /\bas\s+(?:it|they)\s+(?:is|are|was|were)(?=\s*[.,;:)!?\0"]|\s+(?:and|or|but|in|on|now|then|there)\b)/giu,
    instead: '"unchanged"',
  },
  {
    name: "makes … so",
    pattern: /\bma(?:kes?|de|king)\s+(?:it|them|that|this|both)\s+so\b/giu,
    instead: "name the action",
  },
  { name: "stated", pattern: words("(?:un)?stated"), instead: '"declared", "set in the program", "an input"' },
  {
    name: "left alone",
    pattern:
      /\b(?:leaves?|left|leaving|lets?)\b(?:\s+[^\s.,;\0]+){0,4}?\s+alone\b|\b(?:not|is|are)\s+ours\b|'s\s+business\b/giu,
    instead: '"not managed", "unchanged"',
  },
  {
    name: "says nothing",
    pattern: words("(?:says?|said|shows?|saying)\\s+(?:nothing|nought)"),
    instead: '"does not return"',
  },
  {
    name: "answer",
    pattern: words("answers?", "answered", "answering"),
    instead: '"response" (noun), "return" or "respond" (verb)',
  },
  {
    name: "twin",
    pattern: words("twins?", "(?<!\\w\\s)the\\s+like", "(?:and|or)\\s+the\\s+like"),
    instead: '"duplicate", "orphan"',
  },
  {
    name: "haste",
    pattern: words("persistence", "haste", "hasty", "ticks?", "beats?"),
    instead: '"retry policy", "back-off", "deadline", "poll interval"',
  },
  {
    name: "asks to wait",
    pattern: /\bask(?:s|ed)?\s+(?:us\s+|it\s+|them\s+)?(?:to|for a)\s+wait\b/giu,
    instead: '"rate limit"',
  },
  {
    name: "settle",
    pattern: words("settles?", "settled", "settling", "fates?"),
    instead: '"wait until ready", "readiness"',
  },
  {
    name: "refuse",
    pattern: words("refuses?", "refused", "refusing", "is\\s+kept\\s+by", "are\\s+kept\\s+by"),
    instead: '"reject", "return an error"; "conflict" for 409 and busy',
  },
  {
    name: "scene",
    pattern: words(
      "scenes?",
      "stages?",
      "writings?(?=\\s+(?:of|that|are|is))",
      "breakages?",
      "spellings?",
      "stirs?",
      "stirred",
    ),
    instead: '"fixture", "scenario", "equivalent values", "fault case"',
  },
  { name: "world", pattern: words("(?<!real |Hello,? )worlds?"), instead: '"snapshot", "account", "state"' },
  { name: "misuse", pattern: words("misuse[sd]?"), instead: '"usage error"' },
  { name: "plane", pattern: /(?<!\b(?:data|control)[ -])\bplanes?\b/giu, instead: '"data plane"' },
  {
    name: "is gone",
    pattern: words("(?:is|are|was|were|be|been|being)\\s+gone"),
    instead: '"is deleted", "does not exist"; for the value that `refresh()` returns: `is "gone"`',
  },
  {
    name: "lies, stands",
    pattern: words("lies", "lain", "stands?(?!\\s+(?:for|alone))", "stood"),
    instead: '"is", "is stored in", "is listed in"',
  },
  {
    name: "hold back",
    pattern: words("h(?:old|olds|eld|olding)\\s+back", "t(?:ake|akes|ook|aken|aking)\\s+over"),
    instead: '"delay", "keep out"; "adopt", "continue"',
  },
  { name: "says so", pattern: words("(?:says?|said|saying)\\s+so"), instead: '"report", "fail with an error"' },
  { name: "shall", pattern: words("shall"), instead: '"must", "will"' },
  { name: "mend", pattern: words("mends?", "mended", "mending"), instead: '"fix"' },
  { name: "half-made", pattern: words("half-made", "half-done"), instead: '"partially created"' },
  {
    name: "archaic",
    pattern: words(
      "anew",
      "thereof",
      "therein",
      "thereby",
      "whereby",
      "wherein",
      "whence",
      "thence",
      "upon",
      "nought",
      "aught",
      "nothing\\s+but",
      "none\\s+but",
      "save\\s+for",
      "of\\s+old",
      "shan't",
      "ere",
      "thrice",
    ),
    instead: '"again", "only", "on", "except"',
  },
];
