import { forms, type Resource } from "./program";

export interface Edit {
  does: "change" | "replace" | "remove" | "add";
  /** Random number that chooses the resource to edit. */
  at: number;
}

/** A program that is edited between updates. */
export class Program {
  #resources: Resource[];
  #spare: Resource[];
  /**
   * Names of resources with an edit that replaces them. Until the end of the test, they are not replaced again and not
   * removed.
   */
  readonly #replaced = new Set<string>();

  constructor(all: readonly Resource[], first: number) {
    this.#resources = all.slice(0, first);
    this.#spare = all.slice(first);
  }

  get resources(): readonly Resource[] {
    return this.#resources;
  }

  /**
   * Applies edits to the program. Removes and replaces only resources that are in state, because the object of an
   * interrupted create is found again only if the next update creates the same resource.
   */
  edit(edits: readonly Edit[], inState: ReadonlySet<string>): void {
    for (const { does, at } of edits) {
      const one = pick(this.#editable(does, inState), at);
      if (!one) continue;
      const names = does === "change" || does === "add" ? [one.name] : this.#with(one).map(({ name }) => name);
      if (does === "add") {
        this.#spare = this.#spare.filter((spare) => spare !== one);
        this.#resources.push(one);
      } else if (does === "remove") this.#resources = this.#resources.filter(({ name }) => !names.includes(name));
      else this.#resources = this.#resources.map((it) => (it === one ? edited(it, does) : it));
      if (does === "replace") for (const name of names) this.#replaced.add(name);
    }
  }

  #editable(does: Edit["does"], inState: ReadonlySet<string>): Resource[] {
    const names = new Set(this.#resources.map(({ name }) => name));
    if (does === "add") return this.#spare.filter(({ parents }) => parents.every((parent) => names.has(parent)));
    if (does === "change") return this.#resources;
    const isFree = ({ name }: Resource) => inState.has(name) && !this.#replaced.has(name);
    const free = this.#resources.filter((it) => this.#with(it).every(isFree));
    return does === "remove" ? free : free.filter(({ kind }) => forms[kind].isReplaceable);
  }

  #with({ name }: Resource): Resource[] {
    return this.#resources.filter((it) => it.name === name || it.parents.includes(name));
  }
}

const edited = (it: Resource, does: "change" | "replace"): Resource =>
  does === "change" ? { ...it, revision: it.revision + 1 } : { ...it, generation: it.generation + 1 };

const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % all.length];
