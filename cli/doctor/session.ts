import type { DialectName } from "../../api";
import { type Client, connect } from "../../provider/client";
import { dispatcherFor } from "../../provider/client/dispatcher";
import { DispatchFailure } from "../../provider/client/interceptors/dispatch";
import { fail } from "../../provider/client/interceptors/replay";
import type { ReceivedResponse } from "../../provider/client/options";
import { realTime } from "../../provider/client/time";
import type { Host } from "../../provider/engine/host";
import { hostOf } from "../../provider/pulumi/connection";

/** Maximum number of API requests of one run. */
const MAX_REQUESTS = 5;

type Interceptor = ReturnType<typeof dispatcherFor>["compose"] extends (...all: (infer I)[]) => unknown ? I : never;

/** A connection to the API for a few requests. None is sent again, not even after a 429. */
export class Session implements AsyncDisposable {
  readonly host: Host;
  readonly client: Client;
  /** The latest response. Undefined if no request had one. */
  latest: ReceivedResponse | undefined;
  /** When the latest response arrived, in milliseconds since 1970. */
  receivedAt = 0;
  #remaining = MAX_REQUESTS;

  constructor(options: { url: string; token: string; dialect: DialectName | undefined }) {
    this.client = connect({
      ...options,
      userAgent: "cloudinfra-doctor",
      retry: { max: 0 },
      dispatcherFor: (url) => dispatcherFor(url).compose(this.#limited),
      hooks: {
        response: (response) => {
          if (response.status === undefined) return;
          this.latest = response;
          this.receivedAt = realTime.now();
          if (response.status === 429) this.#remaining = 0;
        },
      },
    });
    this.host = hostOf(this.client, realTime, { warn: () => {}, progress: () => {} });
  }

  readonly #limited: Interceptor = (dispatch) => (options, handler) => {
    if (this.#remaining-- > 0) return dispatch(options, handler);
    fail(new DispatchFailure("connection", false, "no further request is sent"), handler);
    return true;
  };

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}
