import { CloudInfraError } from "../provider/client/errors";

/** Thrown if a file of the project cannot be used, for example because it is not valid TypeScript. */
export class ProjectError extends CloudInfraError {
  override readonly name = "ProjectError";
}
