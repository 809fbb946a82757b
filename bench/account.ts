import { startEmulator } from "../emulator";
import { connect } from "../provider/client";
import { realTime } from "../provider/client/time";
import type { Host } from "../provider/engine/host";
import { currentAccount, requireSameAccount } from "../provider/pulumi/account";
import { hostOf } from "../provider/pulumi/connection";
import { type Figure, inTurns, median } from "./figures";

const RUNS = 21;
const RESOURCES = 1_000;

/**
 * The time that a command needs to compare the account of 1,000 resources with the one at hand, over a new connection.
 * The baseline is one request over a new connection.
 */
export async function accountFigures(): Promise<Figure[]> {
  await using emulator = await startEmulator({ pace: "instant" });
  const timed = async (work: (host: Host) => Promise<unknown>): Promise<number> => {
    const client = connect(emulator);
    const host = hostOf(client, realTime, { warn: () => {}, progress: () => {} });
    const startedAt = performance.now();
    await work(host);
    const ms = performance.now() - startedAt;
    await client.close();
    return ms;
  };
  let requests = 0;
  const compared = async (host: Host) => {
    const { id, address } = await currentAccount(host);
    for (let i = 0; i < RESOURCES; i++)
      await requireSameAccount(host, { ...(id && { id }), address }, { isChange: true });
  };
  const own = async () => {
    emulator.requests.clear();
    const ms = await timed(compared);
    requests = emulator.requests.list().length;
    return ms;
  };
  await timed(compared);
  const { values, ...baseline } = await inTurns(RUNS, own, () => timed((host) => host.api.account.view()));
  const same = { baseline: "one request", runs: baseline.runs };
  return [
    {
      name: "account of 1,000 resources compared",
      value: median(values),
      unit: "ms",
      max: 5 + baseline.other,
      ...same,
      other: baseline.other,
    },
    { name: "requests for that", value: requests, unit: "requests", max: 1, ...same, other: 1 },
  ];
}
