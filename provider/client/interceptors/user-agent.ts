import { version } from "../version";
import { type Interceptor, interceptor } from "./call";

/** Says who calls, so that the service's people can tell versions apart; `by` names who uses the client. */
export const userAgent = (by: string | undefined): Interceptor => {
  const node = `node/${process.versions.node} (${process.platform} ${process.arch})`;
  const name = [`pulumi-cloudinfra/${version}`, node, by].filter(Boolean).join(" ");
  return interceptor((dispatch) => (options, handler) => {
    return dispatch({ ...options, headers: { ...options.headers, "user-agent": name } }, handler);
  });
};
