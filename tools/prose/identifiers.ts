import ts from "typescript";

/** Words that declared names do not contain, each with the words to use instead. `answerOf` contains `answer`. */
const banned: Readonly<Record<string, string>> = {
  answer: '"response", "result", "callback"',
  answered: '"response", "responded"',
  answers: '"responses", "returns"',
  ask: '"request"',
  asked: '"request", "requested", "options"',
  asks: '"requests", "accepts"',
  aside: '"background", "separate"',
  began: '"startedAt"',
  begun: '"started", "startedAt"',
  behind: '"remaining", "pending"',
  fate: '"outcome", "status"',
  foretold: '"predicted"',
  given: '"inputs", "value", "text", or what it contains',
  gone: '"deleted", "missing"',
  haste: '"retry policy"',
  hearing: '"listener"',
  kept: '"stored", "cached", "remaining", "retained"',
  least: '"min", "minimum"',
  legible: '"readable"',
  made: '"created", "generated", or what it contains',
  meeting: '"group"',
  most: '"max", "maximum"',
  ours: '"own", "managed"',
  owed: '"pending", "due"',
  owes: '"pending", "due"',
  patience: '"timeout"',
  patient: '"defaults"',
  refusal: '"error", "rejection"',
  refuse: '"reject"',
  refused: '"rejected"',
  said: '"message", "text", "details"',
  say: '"print", "report"',
  says: '"text", "effect"',
  shelf: '"cache", "collection"',
  somebody: '"other"',
  stated: '"declared"',
  strange: '"unknown", "unexpected"',
  stranger: '"unknown", "unmanaged"',
  strangers: '"unknown", "unmanaged"',
  talk: '"messages"',
  tell: '"report", "notify"',
  telling: '"informative"',
  tells: '"shows", "reports"',
  there: '"existing"',
  thing: "what it is",
  those: '"group", or what they are',
  told: '"reported", "options"',
  twin: '"duplicate"',
  wish: '"desired"',
  wishes: '"desired"',
  young: '"recent", "new"',
};

export interface BannedIdentifier {
  at: number;
  name: string;
  instead: string;
}

/** The declared names of a TypeScript file that contain a banned word. Uses of the names are not listed. */
export function bannedIdentifiers(file: string, text: string): BannedIdentifier[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: BannedIdentifier[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && isDeclared(node)) {
      const instead = wordsOf(node.text).flatMap((word) => (Object.hasOwn(banned, word) ? [banned[word]] : []))[0];
      if (instead !== undefined) found.push({ at: node.getStart(source), name: node.text, instead });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const wordsOf = (name: string): string[] =>
  [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)].map(([word]) => word.toLowerCase());

/** Keys of object literals are not declarations: the type that they belong to declares them. */
function isDeclared(node: ts.Identifier | ts.PrivateIdentifier): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isBindingElement(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isTypeParameterDeclaration(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent)) &&
    parent.name === node
  );
}
