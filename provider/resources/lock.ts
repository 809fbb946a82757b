import type { Host } from "../engine";

interface Ticket {
  needsOff: boolean;
  holds: boolean;
  enter(): void;
}

/** One holder at a time, in the order of asking. Waiting for it ends at the deadline. */
export class Lock {
  #isHeld = false;
  #queue: Ticket[] = [];

  constructor(readonly name: string) {}

  /** Whether somebody in the queue needs the machine off. */
  get isWantedOff(): boolean {
    return this.#queue.some(({ needsOff }) => needsOff);
  }

  async hold<T>({ inTime }: Pick<Host, "inTime">, needsOff: boolean, work: () => Promise<T>): Promise<T> {
    await this.#enter(inTime, needsOff);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(inTime: Host["inTime"], needsOff: boolean): Promise<void> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      return;
    }
    const ticket: Ticket = { needsOff, holds: false, enter: () => {} };
    const turn = new Promise<void>((resolve) => {
      ticket.enter = resolve;
    });
    this.#queue.push(ticket);
    try {
      await inTime(turn, this.name);
    } catch (error) {
      // The turn may have come in the moment in which it was given up.
      if (ticket.holds) this.#leave();
      this.#queue = this.#queue.filter((other) => other !== ticket);
      throw error;
    }
  }

  #leave(): void {
    const next = this.#queue.shift();
    this.#isHeld = next !== undefined;
    if (!next) return;
    next.holds = true;
    next.enter();
  }
}
