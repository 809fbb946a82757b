import type { Log } from "../options";
import type { Time } from "../time";
import { type Interceptor, interceptor } from "./call";
import { DispatchFailure, type RawResponse, responseFrom } from "./dispatch";
import { fail, replay } from "./replay";
import { isTruncated } from "./response-signals";
import { RetryPolicy, type RetryRules } from "./retry-policy";

/** Retries calls that can be retried safely, until their deadline. */
export const retry = (rules: RetryRules, time: Time, log: Log): Interceptor => {
  // Whether the server has ever responded. If so, a server that accepts no connections is probably restarting, and a
  // retry helps. Before the first response, the address is probably wrong.
  let hasResponded = false;
  return interceptor((dispatch) => (options, handler) => {
    const send = async (): Promise<RawResponse | DispatchFailure> => {
      try {
        const response = await responseFrom(dispatch, options);
        hasResponded = true;
        return isTruncated(response) ? new DispatchFailure("connection", true, "the response is incomplete") : response;
      } catch (error) {
        return error as DispatchFailure;
      }
    };
    new RetryPolicy(options.call, rules, () => hasResponded)
      .run(send, time, log)
      .then((response) => replay(response, handler))
      .catch((error) => fail(error, handler));
    return true;
  });
};
