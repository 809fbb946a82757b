import type { Bag } from "../../provider/engine/values";

/** The outputs and the id of a resource, as other resources use them. */
export type Outputs = Bag;

/**
 * How a random program declares a resource: inputs from the test data of the resource class, and references to other
 * resources of the program.
 */
export interface Template {
  /**
   * The other resources that the random program must declare first: the name of a template, by a word of your choice for
   * its part, as in `{ source: "Volume" }`. `inputs` gets their outputs by these words.
   */
  needs?: Record<string, string>;
  /**
   * Roles in which a resource can be used once: `{ volume: "attachment" }` allows one attachment per volume. Roles with the
   * same word, of any templates, exclude each other.
   */
  usedOnce?: Record<string, string>;
  /**
   * Returns the inputs that refer to other resources, and others that no edit may change. `roles` contains the outputs of
   * these resources, by role.
   */
  inputs?(roles: Record<string, Outputs>, at: { name: string; nth: number; edited: Bag }): Bag;
  /** Inputs that are not edited, because their values in the test data refer to objects that do not exist here. */
  skip?: readonly string[];
  /** Inputs that are edited only if no other resource depends on this resource. */
  onlyIfUnused?: readonly string[];
  /** Inputs whose changes cannot be reverted. */
  irreversible?: readonly string[];
  /** Changes of inputs, in addition to the changes in the test data of the resource class. */
  more?: readonly Bag[];
  max?: number;
}

export const id = (roles: Record<string, Outputs>, role: string): unknown => roles[role]?.id;

/** The first element of a list output that meets the condition. Unknown if the output is, as in a preview. */
export function first(outputs: Outputs | undefined, key: string, fits: (text: string) => boolean): unknown {
  const list = outputs?.[key];
  return Array.isArray(list) ? list.find((one) => fits(String(one))) : outputs?.id;
}
export const isPrivate = (address: string): boolean => address.startsWith("192.168.");
export const isPublic = (address: string): boolean => !isPrivate(address);

/**
 * How random programs declare resources of the kind of this file, by the names of the templates, usually that of the kind.
 * If two kinds can set the same field, the file of the other kind gets a second template that omits the field, and this
 * kind's template `needs` that one. The source of a clone needs such a template too if the clone copies parts of it that
 * other resources can declare, such as the records of a domain: the random program would not have the copied parts.
 */
export type Templates = Readonly<Record<string, Template>>;
