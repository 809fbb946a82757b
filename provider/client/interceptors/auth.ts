import { type Interceptor, interceptor } from "./call";

/**
 * Adds the token to requests. Interceptors outside this one, such as the log, never receive the header with the token.
 */
export const auth = (token: string): Interceptor =>
  interceptor((dispatch) => (options, handler) => {
    const headers = { ...options.headers, authorization: `Bearer ${token}` };
    return dispatch({ ...options, headers }, handler);
  });
