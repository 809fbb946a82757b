import type { Random } from "../../../emulator/core/random";
import type { DisturbedAccount } from "./account";
import { MINUTE, SECOND } from "./disturbances";
import type { Expectation } from "./expectation";
import { type Resource, STACKS, type Stacks } from "./stacks";

/** The kinds of edits, with how often they happen. */
const actions = {
  change: 50,
  "change again": 20,
  undo: 40,
  "change and undo": 10,
  delete: 6,
  "pulumi up --refresh": 6,
  "pulumi refresh": 4,
};
type Action = keyof typeof actions;
const weighted = (Object.entries(actions) as [Action, number][]).flatMap(([name, weight]) =>
  Array<Action>(weight).fill(name),
);

/** Random changes outside Pulumi, and commands that resolve them. Each is noted in the expectation. */
export class Edits {
  readonly counts = Object.fromEntries(Object.keys(actions).map((name) => [name, 0])) as Record<Action, number>;
  readonly #account: DisturbedAccount;
  readonly #stacks: Stacks;
  readonly #expectation: Expectation;
  readonly #random: Random;
  #values = 0;

  constructor(account: DisturbedAccount, stacks: Stacks, expectation: Expectation, random: Random) {
    this.#account = account;
    this.#stacks = stacks;
    this.#expectation = expectation;
    this.#random = random;
  }

  /** Makes up to seven edits before the given time. */
  async until(end: number): Promise<void> {
    const { time } = this.#account;
    for (let left = this.#random.below(8); left > 0; left--) {
      const rest = end - time.now();
      if (rest < 2 * MINUTE) return;
      await this.#do(this.#random.pick(weighted));
      if (time.now() > end) throw new Error("an edit took so long that the next check can have seen a part of it");
      await time.sleep(this.#random.below(rest / (left + 1)));
    }
  }

  async #do(action: Action): Promise<void> {
    const { time } = this.#account;
    const [stack, changed] = [this.#random.pick(STACKS), this.#expectation.edits()];
    if (action === "pulumi up --refresh") {
      await this.#stacks.update(stack);
      this.#expectation.updated(stack);
    } else if (action === "pulumi refresh") {
      await this.#stacks.refresh(stack);
      this.#expectation.refreshed(stack);
    } else if (action === "undo" || action === "change again") {
      if (!changed.length) return;
      const { address, path } = this.#random.pick(changed);
      if (action === "undo") await this.#undo(address, path);
      else await this.#change(address, path);
    } else {
      const resource = this.#random.pick(
        this.#stacks.resources.filter(({ address }) => this.#expectation.isEditable(address)),
      );
      const path = this.#random.pick(Object.keys(resource.properties));
      if (action === "delete") {
        await this.#account.undisturbed(resource.remove);
        this.#expectation.deleted(resource.address);
      } else {
        await this.#change(resource.address, path);
        if (action === "change and undo") {
          await time.sleep(this.#random.below(20) * SECOND);
          await this.#undo(resource.address, path);
        }
      }
    }
    this.counts[action]++;
  }

  async #change(address: string, path: string): Promise<void> {
    await this.#send(address, path, this.#resource(address).properties[path]?.value(++this.#values));
  }

  async #undo(address: string, path: string): Promise<void> {
    await this.#send(address, path, this.#expectation.recorded(address, path));
  }

  async #send(address: string, path: string, value: unknown): Promise<void> {
    await this.#account.undisturbed(async () => this.#resource(address).properties[path]?.send(value));
    this.#expectation.edited(address, path, value);
  }

  #resource(address: string): Resource {
    return this.#stacks.resources.find((resource) => resource.address === address) as Resource;
  }
}
