import { reasons } from "../../api";
import { ErrorResponse } from "../core/error-response";
import type { Fault } from "../core/faults";
import type { Outgoing } from "./messages";

/** Throws the error response of an injected fault, unless the fault only delays or interrupts the real response. */
export function rejectByFault(fault: Fault | undefined, out: Outgoing["headers"]): void {
  if (fault?.kind === "busy") throw new ErrorResponse(400, reasons.busy);
  if (fault?.kind !== "status" && fault?.kind !== "html") return;
  if (fault.retryAfter !== undefined) out["retry-after"] = String(fault.retryAfter);
  throw new ErrorResponse(fault.status, fault.reason ?? `Injected by a fault: ${fault.status}`);
}

/** An HTML error page for an injected fault, such as a proxy returns while the service behind it is down. */
export function html({ status }: Fault, out: Outgoing["headers"]): Pick<Outgoing, "body"> {
  out["content-type"] = "text/html; charset=utf-8";
  return { body: `<html><body><h1>${status}</h1></body></html>` };
}
