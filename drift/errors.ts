import { CloudInfraError } from "../provider/client/errors";

/** The allow-list, which lists accepted differences, is not valid. */
export class AllowListError extends CloudInfraError {
  override readonly name = "AllowListError";
}

/** The earlier report that was given as a baseline is not valid. */
export class ReportError extends CloudInfraError {
  override readonly name = "ReportError";
}
