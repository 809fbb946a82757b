import { type Handler, type Interceptor, interceptor } from "./call";
import { type Controller, ForwardingHandler, type Headers, header } from "./forwarding-handler";

/** The scopes of the token, as the service lists them in its responses. */
export class TokenScopes {
  #scopes: readonly string[] | undefined;

  /** `ownNames` converts the names of scopes to those of the contract. */
  constructor(readonly ownNames = (list: string): string => list) {}

  /** Whether the token has the scope. Undefined until a response lists its scopes. */
  readonly has = (scope: string): boolean | undefined => this.#scopes && isCovered(scope, this.#scopes);

  update(list: string | undefined): void {
    if (list !== undefined) this.#scopes = scopesIn(this.ownNames(list));
  }
}

/** Splits a list of scopes, as in the header `X-OAuth-Scopes`. */
export const scopesIn = (list: string): string[] => list.split(/[ ,]+/).filter(Boolean);

/** Whether scopes include a scope. Write access includes read access. */
export const isCovered = (scope: string, granted: readonly string[]): boolean =>
  granted.some((other) => other === "*" || other === scope || other === scope.replace("read_only", "read_write"));

export const scopes = (token: TokenScopes): Interceptor =>
  interceptor((dispatch) => (options, handler) => dispatch(options, new ScopesHandler(handler, token)));

class ScopesHandler extends ForwardingHandler {
  constructor(
    handler: Handler,
    readonly token: TokenScopes,
  ) {
    super(handler);
  }

  override onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    this.token.update(header(headers, "x-oauth-scopes"));
    super.onResponseStart(controller, status, headers, message);
  }
}
