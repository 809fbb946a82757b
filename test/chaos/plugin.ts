import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../provider/client";
import type { Host } from "../../provider/engine/host";
import { Journal } from "../../provider/plugin/journal";
import { Service } from "../../provider/plugin/service";
import { hostOf } from "../../provider/pulumi/connection";
import type { ProviderType } from "../../stack/migration";
import { directClient } from "../../testing/native-plugin";
import { pluginProvider } from "../../testing/native-provider";
import { dynamicProvider, type ProviderOf, type ResourceProvider } from "../../testing/resource-provider";
import { type Account, HOST } from "./account";

const never = new Promise<never>(() => {});

/**
 * Simulates a provider process inside the test's own process. It starts with empty caches, and a killed one executes
 * nothing more.
 */
export class Plugin {
  readonly host: Host;
  /** All messages to the user, and all lines of the log. */
  readonly messages: string[] = [];
  readonly #provider: ProviderType;
  readonly #service: Service;
  readonly #client: ReturnType<typeof directClient>;
  readonly #died: Promise<never>;
  #die: (error: Error) => void = () => {};
  #isDead = false;
  /** Ends the waits for stalled responses. A process that has ended waits for none. */
  readonly #stalled = new Set<() => void>();

  constructor(account: Account, provider: ProviderType, journal: string) {
    this.#provider = provider;
    this.#died = new Promise((_, reject) => {
      this.#die = reject;
    });
    this.#died.catch(() => {});
    const { time } = account;
    const alive = {
      now: time.now,
      sleep: async (ms: number, signal?: AbortSignal) => {
        await time.sleep(ms, signal);
        if (this.#isDead) await never;
      },
      timer: (ms: number, work: () => void) => time.timer(ms, () => this.#isDead || work()),
    };
    const print = (line: string) => void this.messages.push(line);
    const client = connect({
      url: `http://${HOST}/v4`,
      token: account.service.token,
      dispatcherFor: account.dispatcherFor(
        () => this.#isDead,
        () => {
          const end = time.stall();
          this.#stalled.add(end);
          return end;
        },
      ),
      log: { warn: print, info: print },
      ...alive,
    });
    this.host = hostOf(client, alive, { warn: print, progress: print });
    const engine = { messagesFor: () => ({ warn: print, progress: print }), inform: () => {} };
    this.#service = new Service(
      () => engine,
      () => this.host,
      new Journal(journal),
    );
    this.#service.attach("in this process");
    this.#client = directClient(this.#service);
  }

  /** Returns the functions by which the engine calls the provider for a resource. A kill makes these calls fail. */
  readonly providerOf: ProviderOf = (kind, host, name) => {
    const provider =
      this.#provider === "native"
        ? pluginProvider(kind, async () => this.#client, { name, isStateCurrent: false })
        : dynamicProvider(kind, host);
    const calls = Object.entries(provider).map(([method, call]) => [
      method,
      (...value: never[]) => Promise.race([(call as (...value: never[]) => Promise<unknown>)(...value), this.#died]),
    ]);
    return Object.fromEntries(calls) as ResourceProvider;
  };

  kill(): void {
    this.#exit();
    this.#die(new Error("error reading from server: EOF"));
  }

  /**
   * Ends the process after the engine has exited. The native plugin first finishes the calls in progress. `isSaved` is
   * false if the engine was killed, so that it did not save their results.
   */
  async end(isSaved: boolean): Promise<void> {
    const killed = this.#died.catch(() => {});
    if (this.#provider === "native" && !this.#isDead) await Promise.race([this.#service.end({ isSaved }), killed]);
    this.#exit();
  }

  #exit(): void {
    this.#isDead = true;
    for (const end of this.#stalled) end();
  }
}

/** The contents of all files in the folder in which the native plugin records its create requests. */
export function textsIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  } catch {
    return [];
  }
}
