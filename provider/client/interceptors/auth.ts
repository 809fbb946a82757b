import { type Interceptor, interceptor } from "./call";

/** The only place that knows the token: what is composed outside of it, the log for one, never sees the header. */
export const auth = (token: string): Interceptor =>
  interceptor((dispatch) => (options, handler) => {
    const headers = { ...options.headers, authorization: `Bearer ${token}` };
    return dispatch({ ...options, headers }, handler);
  });
