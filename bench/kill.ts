import { killedUnderLoad } from "./kill-under-load";

const CLIENTS = 16;
/** Bounds of the random time until the emulator is killed, in milliseconds after the first requests. */
const [SHORTEST, LONGEST] = [50, 600];

/** Kills an emulator at random times while clients send requests as fast as possible. */
async function main(): Promise<void> {
  const count = Number(process.env.COUNT ?? 100);
  const untilKill = () => SHORTEST + Math.random() * (LONGEST - SHORTEST);
  const lost: string[] = [];
  let [kills, acknowledged] = [0, 0];
  for await (const round of killedUnderLoad({ clients: CLIENTS, untilKill })) {
    kills++;
    acknowledged += round.acknowledged;
    lost.push(...round.lost);
    if (kills % 10 === 0) console.log(`${kills} kills, ${acknowledged} changes acknowledged`);
    if (kills >= count) break;
  }
  console.log(`${kills} kills, ${acknowledged} changes acknowledged, ${lost.length} lost, the file opened each time`);
  for (const line of lost) console.error(line);
  if (lost.length > 0) process.exitCode = 1;
}

main().catch((error: Error) => {
  console.error(`kill: ${error.message}`);
  process.exitCode = 1;
});
