import type { KindFiles } from "./names";

/** Begins a comment in a copied file that says what to decide. The author of the kind deletes it. */
const MARK = "// Decide:";

/** The choices at each line of a copied file that depends on the new kind, by the beginning of that line. */
type Decisions = readonly (readonly [line: RegExp, choices: readonly string[]])[];

const ofDefinitions: Decisions = [
  [
    /^const \w+ = (?:async )?\(/,
    [
      "whether the new kind needs the functions from here on. If not, delete them. One that waits for another object is needed",
      "if its status in the API has values such as `creating`: the client repeats requests that fail with a temporary error.",
    ],
  ],
  [
    /^ {2}summary:/,
    ["one sentence about the object, for hover texts and pages. Say which data a deletion or a replacement deletes."],
  ],
  [
    /^ {2}elsewhere:/,
    [
      "its names in other providers, as in docs/from-terraform.md, and differences there. Those here are copied, so correct or delete them.",
    ],
  ],
  [
    /^ {2}inputs:/,
    [
      "the values that programs set. Take their schemas from the API's operations, such as the `body` of `update`:",
      "texts and limits come with them. Omit values for which there is another kind. The id of a parent is `Id`, or `PartId` if",
      "that parent is in another object itself: programs can then also give the whole id of its resource, such as `12/34`.",
    ],
  ],
  [
    /^ {2}fields:/,
    [
      'what a change of each input does: the name of a step (in place), "replace" (creates a new object and deletes this one),',
      '"local" (only this provider reads it) or { change: "writeOnly", note: "…" } (used at creation, never returned).',
      "If the API never returns an input that replaces, `replaceReason` says why a change needs a new object.",
    ],
  ],
  [
    /^ {2}identity:/,
    [
      "`area` is the group of API operations, and `parents` are the inputs that are parts of the id, outermost first:",
      '`{ nodebalancer_id: "nodeBalancerId", config_id: "configId" }`.',
    ],
  ],
  [
    /^ {4}manages:/,
    ["which objects of other kinds its inputs declare, as `compute_id` of `Volume` does. Delete it if there are none."],
  ],
  [
    /^.*\blostCreate:/,
    [
      "how to find the object if the response to the create request is lost: inputs that distinguish it from others,",
      'or "repeat" if sending the request again does not create a second one.',
    ],
  ],
  [
    /^ {2}inventory:/,
    [
      'how the objects are found: `list` is "operation" (the API lists them), "search" (other requests find them) or "byId"',
      "(only an id finds them). `title` is the output with their name, and `file` that of an imported program.",
    ],
  ],
  [
    /^ {2}(?:async )?create\(/,
    [
      "the request that creates the object. Inputs that it does not accept are applied by the steps afterwards. Without a",
      "`delete` next to it, a deletion calls the API's delete operation, and a replacement creates the new object first.",
      'If a name must be unique, add delete: { replaceOrder: "deleteFirst" }: `summary` then says that the old object is deleted',
      "first, and does not exist any more if the create request fails.",
    ],
  ],
];

const ofFixtures: Decisions = [
  [
    /^export const effects/,
    [
      'for each input, the operations that a change calls by the API\'s documents, or "replace", "write-only" or "local".',
    ],
  ],
  [
    /^export const found/,
    [
      '"operation" (the API lists the objects), "search" (other requests find them), "byId" (only an id finds them) or',
      '"none" (an action). `within` is the kind whose id begins that of the object, as `Domain` of a record.',
    ],
  ],
  [/^ {2,}base:/, ["the inputs before each edit. Objects that they refer to are created above."]],
  [
    /^ {2,}changes:/,
    [
      "an edit of each input. `calls` is needed only if a request is not an update with that input alone. After `changes`,",
      "`adopted` lists inputs that `base` omits and that have a value nevertheless, as a copy has values of its source.",
    ],
  ],
  [
    /^ {2,}changeUnmanaged\b/,
    ["a change outside Pulumi that is not drift, such as of the object that this one belongs to or was copied from."],
  ],
  [/^export const exampleEdit/, ["an input of the example and a new value, which can be changed in place."]],
  [
    /^export const templates/,
    [
      "how random programs declare the kind: `needs` names the resources that its inputs refer to, each by a word for its",
      "role, and `skip` inputs that are not edited. The hover text of `Templates` says which sources a clone needs. Or a text with the reason why they cannot.",
    ],
  ],
];

const ofExamples: Decisions = [
  [
    /^(?:(?:export )?const \w+ = )?new /,
    [
      "a program that creates one, and the objects that it refers to. No other example has an object of the same kind and name",
      "(search with `grep -rn '\"wiki\"' examples/resources`). The YAML program next to this file does the same.",
    ],
  ],
];

const ofFiles: { readonly [R in keyof KindFiles]?: Decisions } = {
  definition: ofDefinitions,
  fixture: ofFixtures,
  example: ofExamples,
};

/** Adds the choices of a new kind to one of its files. The other files have none. */
export function withChoices(role: keyof KindFiles, text: string): string {
  const decisions = ofFiles[role] ?? [];
  return decisions.reduce(
    (result, [line, choices]) =>
      result.replace(new RegExp(`${line.source}.*\n`, "m"), (found) => {
        const indent = /^ */.exec(found)?.[0] ?? "";
        return choices.map((part, i) => `${indent}${i ? "//" : MARK} ${part}\n`).join("") + found;
      }),
    text,
  );
}

/** The lines of a file that still have a comment about a decision. */
export const openDecisions = (text: string): number[] =>
  text.split("\n").flatMap((line, i) => (line.trimStart().startsWith(MARK) ? [i + 1] : []));
