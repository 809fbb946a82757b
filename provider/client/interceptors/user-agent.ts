import { version } from "../version";
import { type Interceptor, interceptor } from "./call";

/**
 * Sets the header `User-Agent` to the package's version and the name of the program that uses the client, so that the
 * service can distinguish clients.
 */
export const userAgent = (by: string | undefined): Interceptor => {
  const node = `node/${process.versions.node} (${process.platform} ${process.arch})`;
  const name = [`pulumi-cloudinfra/${version}`, node, by].filter(Boolean).join(" ");
  return interceptor((dispatch) => (options, handler) => {
    return dispatch({ ...options, headers: { ...options.headers, "user-agent": name } }, handler);
  });
};
