import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";

/** The outputs and the id of a resource, as other resources use them. */
export type Outputs = Bag;

/**
 * How a random program declares a resource: inputs from the test data of the resource class, and references to other
 * resources of the program.
 */
export interface Template {
  /** The kind of the resources, if it is not that of the file: a template of another kind, for `needs` of this one. */
  kind?: KindName;
  /**
   * The other resources that the random program must declare first: the name of a template, by a word of your choice for
   * its role, as in `{ source: "Volume" }`. `inputs` gets their outputs by these words, as `roles`.
   */
  needs?: Record<string, string>;
  /**
   * Roles in which a resource can be used once: `{ volume: "attachment" }` allows one attachment per volume. Roles with the
   * same word, of any templates, exclude each other.
   */
  usedOnce?: Record<string, string>;
  /**
   * Returns the inputs that refer to other resources, and others that no edit may change. `roles` contains the outputs of
   * the resources in `needs`, which are unknown in a preview: an object inside a config is in
   * `{ nodebalancerId: config.nodebalancerId, configId: config.id }`. `label` is unique already; other names are not.
   * Pass on an unknown output unchanged: a text that contains it would be known.
   */
  inputs?(roles: Record<string, Outputs>, at: { name: string; nth: number; edited: Bag }): Bag;
  /** Inputs that are not edited, because their values in the test data refer to objects that do not exist here. */
  skip?: readonly string[];
  /**
   * Inputs that are edited only if no other resource depends on this one, because an edit replaces
   * the object, or removes what others have added, such as a tag.
   */
  onlyIfUnused?: readonly string[];
  /** Inputs whose changes cannot be reverted. */
  irreversible?: readonly string[];
  /** Changes of inputs, in addition to the changes in the test data of the resource class. */
  more?: readonly Bag[];
  max?: number;
}

export const id = (roles: Record<string, Outputs>, role: string): unknown => roles[role]?.id;

/**
 * The first element of a list output that meets the condition. Unknown if the output is, as in a preview. Each `Instance`
 * of a random program has a private address: `first(machine, "ipv4", isPrivate)`.
 */
export function first(outputs: Outputs | undefined, key: string, fits: (text: string) => boolean): unknown {
  const list = outputs?.[key];
  return Array.isArray(list) ? list.find((one) => fits(String(one))) : outputs?.id;
}
export const isPrivate = (address: string): boolean => address.startsWith("192.168.");
export const isPublic = (address: string): boolean => !isPrivate(address);

/**
 * How random programs declare resources of the kind of this file, by the names of the templates, usually that of the kind.
 * All resources of a program with a `region` are in the same one, unless an edit changes it.
 *
 * If another kind can set the same field, add a template of that kind which omits the field, and let this kind's template
 * need that one: `PlainBucket: { kind: "ObjectStorageBucket", skip: ["certificate"] }`.
 *
 * A clone that copies parts of its source which other resources declare, such as the records of a domain, needs a source of
 * its own: `ClonedDomain: { ...domain.templates.Domain, kind: "Domain" }` has no parts, because no other template needs it.
 *
 * A second kind has the `skip` of the inputs that it shares with the first one, and `onlyIfUnused` only if another template
 * needs it.
 */
export type Templates = Readonly<Record<string, Template>>;
