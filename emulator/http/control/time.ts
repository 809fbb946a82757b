import { z } from "zod";
import { type Clock, changeablePaces, END_OF_TIME } from "../../core/clock";
import { ErrorResponse } from "../../core/error-response";
import { type Actions, action, actionWithoutBody } from "./action";

const Advance = z.strictObject({
  ms: z.number().min(0).default(0).describe("Milliseconds by which to advance the clock."),
  seconds: z.number().min(0).default(0).describe("Seconds by which to advance the clock, in addition to `ms`."),
  settle: z.boolean().default(false).describe("Whether to advance the clock further, until all jobs have ended."),
  pace: z
    .enum(changeablePaces)
    .optional()
    .describe(
      "Pace of the jobs that start from now on. Jobs in progress keep the time at which they end, but `instant` ends them with the next request.",
    ),
});

/** Rejects a time span that ends after the year 9999, the last that the API can represent. */
export function within(clock: Clock, ms: number, field: string): void {
  if (clock.now() + ms <= END_OF_TIME) return;
  const maxSeconds = Math.floor((END_OF_TIME - clock.now()) / 1000);
  throw new ErrorResponse(
    400,
    `Must be at most ${maxSeconds} seconds: the clock cannot advance beyond the year 9999`,
    field,
  );
}

export const timeActions: Actions = {
  clock: {
    GET: actionWithoutBody(({ world }) => clockState(world.clock)),
    POST: action(Advance, ({ world, advance, settle: settleAll }, { ms, seconds, settle, pace }) => {
      within(world.clock, ms + seconds * 1000, seconds ? "seconds" : "ms");
      advance(ms + seconds * 1000);
      if (settle) settleAll();
      if (pace) world.clock.changePace(pace);
      return clockState(world.clock);
    }),
  },
};

const clockState = (clock: Clock) => ({ now: clock.now(), time: clock.time(), pace: clock.pace });
