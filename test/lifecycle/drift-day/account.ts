import { listen } from "../../../emulator";
import type { FaultSpec } from "../../../emulator/core/faults";
import { openService } from "../../../emulator/service";
import { connect } from "../../../provider/client";
import type { Hooks } from "../../../provider/client/options";
import type { Time } from "../../../provider/client/time";
import { DirectConnections, handleDirectly } from "../../../testing/direct-connections";
import { busyTime } from "../../../testing/virtual-time";

/** An emulator in virtual time, whose requests can be disturbed for a while. */
export async function disturbedAccount() {
  const service = await openService({ pace: "stepped" });
  const emulator = await listen(service, {});
  const busy = busyTime(emulator);
  const { now, sleep, timer, traffic } = busy;
  const time: Time = { now, sleep, timer };

  /** Requests without a response. They are not traffic that the clock has to wait for. */
  const stalled: (() => void)[] = [];
  emulator.faults.stalls = () => {
    traffic.ended();
    stalled.push(busy.stall());
  };
  const hooks: Required<Hooks> = {
    request: () => traffic.started(),
    response: ({ error }) => {
      const resume = error && stalled.pop();
      if (resume) {
        resume();
        traffic.started();
      }
      traffic.ended();
    },
  };

  let fault: FaultSpec | undefined;
  let isPaused = false;
  const apply = (): void => {
    emulator.faults.clear();
    if (fault && !isPaused) emulator.faults.add(fault);
  };
  /** Others use the account without sockets, so that the service alone has connections to it. */
  const connected = () =>
    connect({
      url: emulator.url,
      token: emulator.token,
      ...time,
      hooks,
      dispatcherFor: () =>
        new DirectConnections((request) => handleDirectly(service, new URL(emulator.url).host, request), busy.stall),
    });
  return {
    emulator,
    time,
    traffic,
    stall: busy.stall,
    hooks,
    connected,
    /** Changes the account outside Pulumi. */
    api: connected().api,
    get fault(): FaultSpec | undefined {
      return fault;
    },
    /** Replaces the fault of requests. */
    disturb(next: FaultSpec | undefined): void {
      fault = next;
      apply();
    },
    /** Does work whose requests are not disturbed, like those of a client elsewhere. */
    async undisturbed<T>(work: () => Promise<T>): Promise<T> {
      isPaused = true;
      apply();
      try {
        return await work();
      } finally {
        isPaused = false;
        apply();
      }
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

export type DisturbedAccount = Awaited<ReturnType<typeof disturbedAccount>>;
