import type { Log } from "../options";
import type { Time } from "../time";
import { type Interceptor, interceptor } from "./call";
import { type Answer, exchange, Failure } from "./dispatch";
import { fail, replay } from "./replay";
import { isCutShort } from "./response-signals";
import { Persistence, type RetryRules } from "./retry-policy";

/** Repeats what may be repeated, within the call's deadline. */
export const retry = (rules: RetryRules, time: Time, log: Log): Interceptor => {
  // A server that answered before and refuses connections is starting again; one that never did is a wrong address.
  let reached = false;
  return interceptor((dispatch) => (options, handler) => {
    const once = async (): Promise<Answer | Failure> => {
      try {
        const answer = await exchange(dispatch, options);
        reached = true;
        return isCutShort(answer) ? new Failure("connection", true, "the answer ends in the middle") : answer;
      } catch (error) {
        return error as Failure;
      }
    };
    new Persistence(options.call, rules, () => reached)
      .run(once, time, log)
      .then((answer) => replay(answer, handler))
      .catch((error) => fail(error, handler));
    return true;
  });
};
